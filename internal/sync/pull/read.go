// Package pull detects edits that were made in PostHog and writes them into Terraform files. It
// reads a plan and the lock file, decides for each value which side changed, and calls package code
// to edit the source.
//
// The package must not run Terraform or write files: the caller runs the plan, saves the files, and
// prints the report. Start reading at [Resource], which shows the steps, and at [Edit].
package pull

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Pull is a pipeline. Each step turns one value into the next:
//
//	planResource        a resource in a plan: its values in the configuration, the state, and PostHog
//	rememberedResource  adds the memory in the private state and the lock file
//	reattachedResource  uses one ID per question in all versions, and lists the detached answers
//	basedResource       replaces the state with the merge base
//	Resource            omits the secrets that must not be written
//
// Edit merges a Resource into the files.

// Resource is a survey or an import app in a plan, ready to be merged into its block.
type Resource struct {
	basedResource
	// remembered is the resource before its questions were reattached. It is nil if the IDs in its block do not
	// matter.
	remembered *rememberedResource
	// settled is the lock entry of a resource that needs no edit. It is nil for other resources.
	settled *entry
	// withheld lists the keys of the config_schema fields whose secret defaults are not written
	// into the configuration.
	withheld []string
}

// planResource is a resource as the plan contains it.
type planResource struct {
	Address     string
	Type, Label string
	// Modules contains the names of the module calls that lead to the resource, starting at the root.
	Modules []string
	// IsInstance is set if the resource or one of its modules uses count or for_each.
	IsInstance bool
	// ID, Name, and ParentID are the values of the live object.
	ID, Name, ParentID string
	// Versions contains the values of the arguments in each version.
	Versions code.Versions
	// Sensitive contains the arguments whose values must not be printed.
	Sensitive map[string]bool
	// Disposition is set if the whole resource was created or deleted. It is empty for an update.
	Disposition Disposition
	// IsPlanned is set if the plan changes the object.
	IsPlanned bool

	// literalIDs contains the question IDs that the survey's block sets as literals. Only WithLiteralIDs
	// sets it, because a plan does not show which IDs the block sets.
	literalIDs []string
	// arguments maps each argument to its type.
	arguments map[string]attr.Type
}

// Disposition explains why a resource has no values to merge.
type Disposition string

// Values of Disposition.
const (
	// Gone means that the object was deleted outside of Terraform.
	Gone Disposition = "gone"
	// Created and Deleted mean that the configuration was changed but not applied yet.
	Created Disposition = "created"
	Deleted Disposition = "deleted"
)

// Resources returns the surveys and import apps in a plan. isOurs reports whether a provider source
// address identifies this provider. private contains the private states of the plan. lock is the
// memory of the last pull, or nil.
func Resources(plan *tfjson.Plan, private map[string]map[string][]byte, lock *Lock, isOurs func(provider string) bool) ([]Resource, error) {
	r := Reader{Private: private, Lock: lock, IsOurs: isOurs}
	for _, change := range plan.ResourceChanges {
		if err := r.Add(plan, change); err != nil {
			return nil, err
		}
	}
	return r.Resources, nil
}

// Reader reads the resources in a plan one by one.
type Reader struct {
	// Private contains the private states of the plan, by resource address and key.
	Private map[string]map[string][]byte
	// Lock is the memory of the last pull, or nil.
	Lock *Lock
	// IsOurs reports whether a provider source address identifies this provider.
	IsOurs func(provider string) bool
	// ForEdit saves memory. If it is set, the reader keeps only the lock entry of a resource that needs
	// no edit.
	ForEdit bool
	// Resources contains the resources that have been read so far.
	Resources []Resource

	drifts     map[string]*tfjson.Change
	attributes map[string]map[string]attr.Type
}

// Add reads a change. It ignores data sources and other providers' resources. The plan must already contain
// the drift.
func (r *Reader) Add(plan *tfjson.Plan, change *tfjson.ResourceChange) error {
	if r.attributes == nil {
		r.attributes = map[string]map[string]attr.Type{
			code.SurveyType: arguments(surveyschema.Resource()), code.AppType: arguments(importapp.ResourceSchema()),
		}
		r.drifts = map[string]*tfjson.Change{}
		for _, drift := range plan.ResourceDrift {
			r.drifts[drift.Address] = drift.Change
		}
	}
	types, ok := r.attributes[change.Type]
	if !ok || change.Mode != tfjson.ManagedResourceMode || change.Change == nil || !r.IsOurs(change.ProviderName) {
		return nil
	}
	drift := r.drifts[change.Address]
	if drift == nil && change.PreviousAddress != "" {
		drift = r.drifts[change.PreviousAddress]
	}

	planned, err := newRead(change, drift, types)
	if err != nil {
		return err
	}
	resource := planned.recall(r.Private[planned.Address], r.Lock, change.Change.Importing != nil).resource()
	if r.ForEdit && resource.isSettled() {
		resource = resource.settle()
	}
	r.Resources = append(r.Resources, resource)
	return nil
}

// resource runs the last steps of the pipeline.
func (r rememberedResource) resource() Resource {
	resource := r.reattach().rebase().withoutSecretDefaults()
	if len(resource.Detached) > 0 || r.memory.isNew {
		resource.remembered = &r
	}
	return resource
}

// settle reduces a resource to its lock entry.
func (r Resource) settle() Resource {
	agreed := r.common(nil)
	var small Resource
	small.Address, small.Type, small.ID, small.Name, small.ParentID = r.Address, r.Type, r.ID, r.Name, r.ParentID
	small.memory.written, small.settled = r.memory.written, &agreed
	return small
}

// isSettled reports whether a resource needs neither an edit nor a report.
func (r *Resource) isSettled() bool {
	return r.Disposition == "" && !r.IsPlanned && len(r.Detached) == 0 && len(r.withheld) == 0 && r.Versions.IsSame()
}

func newRead(change *tfjson.ResourceChange, drift *tfjson.Change, types map[string]attr.Type) (planResource, error) {
	r := planResource{Address: change.Address, Type: change.Type, Label: change.Name, IsInstance: change.Index != nil, Sensitive: map[string]bool{}, IsPlanned: !change.Change.Actions.NoOp(), arguments: types}
	traversal, diags := hclsyntax.ParseTraversalAbs([]byte(change.Address), "", hcl.InitialPos)
	if diags.HasErrors() {
		return r, fmt.Errorf("could not parse the resource address %s in the plan: %w", change.Address, diags)
	}
	r.readModules(traversal)

	live, applied := change.Change.Before, change.Change.Before
	if drift != nil {
		applied = drift.Before
	}
	r.Versions = code.Versions{
		Applied: decodeValues(applied, nil, types), Code: decodeValues(change.Change.After, change.Change.AfterUnknown, types), Live: decodeValues(live, nil, types),
	}
	for name := range types {
		if isMarked(change.Change.AfterSensitive, name) || isMarked(change.Change.BeforeSensitive, name) {
			r.Sensitive[name] = true
		}
	}

	object, _ := live.(map[string]any)
	if object == nil {
		object, _ = applied.(map[string]any)
	}
	r.ID, r.Name, r.ParentID = jsonvalue.String(object["id"]), jsonvalue.String(object["name"]), jsonvalue.String(object["project_id"])
	if r.Type == code.AppType {
		r.ParentID = jsonvalue.String(object["organization_id"])
	}
	switch {
	case live == nil && drift != nil:
		r.Disposition = Gone
	case live == nil:
		r.Disposition = Created
	case change.Change.After == nil:
		r.Disposition = Deleted
	}
	return r, nil
}

// readModules extracts the module path from an address, in which the kind of each part precedes its name.
func (r *planResource) readModules(traversal hcl.Traversal) {
	var names []string
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, step.Name)
		case hcl.TraverseAttr:
			names = append(names, step.Name)
		case hcl.TraverseIndex:
			r.IsInstance = true
		}
	}
	for i := 1; i < len(names)-2; i += 2 {
		r.Modules = append(r.Modules, names[i])
	}
}

// arguments returns the types of the arguments that users can configure and PostHog stores.
func arguments(resource schema.Schema) map[string]attr.Type {
	return attribute.AttributeTypes(resource, func(_ string, a schema.Attribute) bool { return a.IsOptional() || a.IsRequired() })
}

// decodeValues decodes the JSON values in a plan. It returns nil if there is no object.
func decodeValues(values, unknown any, types map[string]attr.Type) any {
	marked := jsonvalue.Replace(composed(values), unknown, func(any) any { return code.Unknown{} })
	object, ok := marked.(map[string]any)
	if !ok {
		return nil
	}
	return attribute.ObjectFromPlan(object, types, func(text string) any { return jsonvalue.Text(text) })
}

// composed returns a JSON value with all texts in Unicode NFC, as Terraform does with texts in a configuration, but not with
// those in a state.
func composed(value any) any {
	switch value := value.(type) {
	case string:
		return cty.NormalizeString(value)
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = composed(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, field := range value {
			object[name] = composed(field)
		}
		return object
	}
	return value
}

// isMarked reports whether an argument contains a sensitive value.
func isMarked(marks any, name string) bool {
	object, ok := marks.(map[string]any)
	return marks == true || ok && jsonvalue.HasTrue(object[name])
}

// QuestionHistory decodes the history of a survey's questions from the private state.
func (r Resource) QuestionHistory() (identity.History, error) {
	return identity.Decode(r.memory.history)
}

// Plans reports whether a survey's question has this ID after the plan is applied.
func (r Resource) Plans(id string) bool { return slices.Contains(r.planned, id) }

// PrivateStates returns the private states of the resources in a saved plan after its refresh, by
// address and key. The format of a plan file depends on the CLI. If PrivateStates cannot read the
// file, for example because OpenTofu encrypted it, it returns nil.
func PrivateStates(planFile string) map[string]map[string][]byte {
	archive, err := zip.OpenReader(planFile)
	if err != nil {
		return nil
	}
	defer func() { _ = archive.Close() }()

	file, err := archive.Open("tfstate")
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()

	private := map[string]map[string][]byte{}
	err = jsonvalue.Walk(file, func(path string, value *json.Decoder) (bool, error) {
		if path != ".resources[]" {
			return false, nil
		}
		var resource savedResource
		err := value.Decode(&resource)
		resource.add(private)
		return true, err
	})
	if err != nil {
		return nil
	}
	return private
}

// savedResource contains the fields of a resource in a state file that pull needs.
type savedResource struct {
	Module    string `json:"module"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Instances []struct {
		Index   any    `json:"index_key"`
		Deposed string `json:"deposed"`
		Private string `json:"private"`
	} `json:"instances"`
}

// add collects the private states of all instances.
func (r savedResource) add(states map[string]map[string][]byte) {
	address := r.Type + "." + r.Name
	if r.Module != "" {
		address = r.Module + "." + address
	}

	for _, instance := range r.Instances {
		raw, err := base64.StdEncoding.DecodeString(instance.Private)
		var keys map[string][]byte
		if err != nil || instance.Deposed != "" || json.Unmarshal(raw, &keys) != nil {
			continue
		}
		states[address+index(instance.Index)] = keys
	}
}

// index formats the instance key at the end of an address.
func index(key any) string {
	switch key := key.(type) {
	case nil:
		return ""
	case string:
		return "[" + strconv.Quote(key) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}
