// Package pull finds edits outside of Terraform in a plan, and writes them into the files
// of the configuration. Package code edits a file; the caller plans, writes the files to
// disk and prints the report.
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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Pull is a pipeline of values, each made from the one before:
//
//	read        a resource in a plan: the values that the configuration, the state, and PostHog have
//	recalled    with what the private state and the lock file remember of it
//	reattached  with one ID for each question in all versions, and the detached answers
//	based       with the merge base instead of the state
//	Resource    without the secrets that must not be written
//
// Edit merges a Resource into the files.

// Resource is a survey or an import app in a plan, ready to be merged into its block.
type Resource struct {
	basedResource
	// settled is what configuration and PostHog have in common, where nothing is to be edited; nil
	// elsewhere.
	settled *entry
	// withheld are the keys of the fields of config_schema whose secret defaults are not
	// written into the configuration.
	withheld []string
}

// planResource is a resource as a plan has it.
type planResource struct {
	Address     string
	Type, Label string
	// Modules are the names of the module calls that lead to it, from the root.
	Modules []string
	// IsInstance is set when count or for_each creates it, or a module that it is in.
	IsInstance bool
	// ID, Name and ParentID are those of the live object.
	ID, Name, ParentID string
	// Versions are the values of its arguments.
	Versions code.Versions
	// Sensitive are the arguments whose values must not be printed.
	Sensitive map[string]bool
	// Disposition is what became of the resource as a whole; empty for an update.
	Disposition Disposition
	// IsPlanned reports whether the plan changes the object.
	IsPlanned bool

	// arguments are the types of the arguments.
	arguments map[string]attr.Type
}

// Disposition is what became of a resource as a whole.
type Disposition string

// The values of Disposition.
const (
	// Gone objects were deleted outside of Terraform.
	Gone Disposition = "gone"
	// Created and Deleted objects differ from the code because it was not applied.
	Created Disposition = "created"
	Deleted Disposition = "deleted"
)

// Resources returns the surveys and import apps of a plan. isOurs reports whether a source
// address is that of this provider, private are the private states of the plan, lock is what the
// last pull remembered; nil for nothing.
func Resources(plan *tfjson.Plan, private map[string]map[string][]byte, lock *Lock, isOurs func(provider string) bool) ([]Resource, error) {
	r := Reader{Private: private, Lock: lock, IsOurs: isOurs}
	for _, change := range plan.ResourceChanges {
		if err := r.Add(plan, change); err != nil {
			return nil, err
		}
	}
	return r.Resources, nil
}

// Reader reads the resources of a plan one by one.
type Reader struct {
	// Private are the private states of the plan.
	Private map[string]map[string][]byte
	// Lock is what the last pull remembered; nil for nothing.
	Lock *Lock
	// IsOurs reports whether a source address is that of this provider.
	IsOurs func(provider string) bool
	// ForEdit keeps nothing of a resource on which nothing is to be edited but what the lock
	// remembers of it.
	ForEdit bool
	// Resources are those that were read.
	Resources []Resource

	drifts     map[string]*tfjson.Change
	attributes map[string]map[string]attr.Type
}

// Add reads a change, unless it is of something else than ours. The plan has its drift already.
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
	resource := planned.recall(r.Private[planned.Address], r.Lock, change.Change.Importing != nil).reattach().rebase().withoutSecretDefaults()
	if r.ForEdit && resource.isSettled() {
		resource = resource.settle()
	}
	r.Resources = append(r.Resources, resource)
	return nil
}

// settle keeps nothing but what the lock remembers of a resource.
func (r Resource) settle() Resource {
	agreed := r.common(nil)
	var small Resource
	small.Address, small.Type, small.ID, small.Name, small.ParentID = r.Address, r.Type, r.ID, r.Name, r.ParentID
	small.memory.written, small.settled = r.memory.written, &agreed
	return small
}

// isSettled reports whether nothing is to be edited or said of a resource.
func (r *Resource) isSettled() bool {
	return r.Disposition == "" && !r.IsPlanned && len(r.Detached) == 0 && len(r.withheld) == 0 && r.Versions.IsSame()
}

func newRead(change *tfjson.ResourceChange, drift *tfjson.Change, types map[string]attr.Type) (planResource, error) {
	r := planResource{Address: change.Address, Type: change.Type, Label: change.Name, IsInstance: change.Index != nil, Sensitive: map[string]bool{}, IsPlanned: !change.Change.Actions.NoOp(), arguments: types}
	traversal, diags := hclsyntax.ParseTraversalAbs([]byte(change.Address), "", hcl.InitialPos)
	if diags.HasErrors() {
		return r, fmt.Errorf("the plan has a resource with the address %s, which cannot be read: %w", change.Address, diags)
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

// readModules reads the modules of an address, which is made of pairs of a kind and a name.
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

// arguments are the types of the configurable arguments that the service stores.
func arguments(resource schema.Schema) map[string]attr.Type {
	return attribute.TypesOf(resource, func(_ string, a schema.Attribute) bool { return a.IsOptional() || a.IsRequired() })
}

// decodeValues are the values of Terraform's JSON; nil for no object.
func decodeValues(values, unknown any, types map[string]attr.Type) any {
	marked := jsonvalue.Replace(values, unknown, func(any) any { return code.Unknown{} })
	object, ok := marked.(map[string]any)
	if !ok {
		return nil
	}
	return attribute.ObjectFromPlan(object, types, func(text string) any { return jsonvalue.Text(text) })
}

// isMarked reports whether anything of an argument is marked as sensitive.
func isMarked(marks any, name string) bool {
	object, ok := marks.(map[string]any)
	return marks == true || ok && jsonvalue.HasTrue(object[name])
}

// QuestionHistory is what the state remembers of the questions of a survey.
func (r Resource) QuestionHistory() (identity.History, error) { return identity.Decode(r.memory.history) }

// Plans reports whether a plan leaves or gives an id to a question of a survey.
func (r Resource) Plans(id string) bool { return slices.Contains(r.planned, id) }

// PrivateStates are the private states of the resources in a saved plan, by address and
// key, as they are after the refresh. The format of a plan file is that of one CLI: what
// cannot be read, as in one that OpenTofu has encrypted, is not known, and nil.
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

// savedResource is what is needed of a resource in a state file.
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

// add adds the private states of all instances.
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

// index is the end of an address.
func index(key any) string {
	switch key := key.(type) {
	case nil:
		return ""
	case string:
		return "[" + strconv.Quote(key) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}
