package pull

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Change is a file with its new content.
type Change struct {
	// Path is relative to the pulled directory.
	Path          string
	Before, After []byte
}

// Finding is a difference between a resource and its object in PostHog.
type Finding struct {
	code.Finding
	Resource Resource `json:"-"`
	Address  string   `json:"address"`
	// File is relative to the pulled directory. It is empty if no file declares the resource.
	File string `json:"file,omitempty"`
	// By and At are the author and the time of the edit. Author sets them.
	By string `json:"by,omitempty"`
	At string `json:"at,omitempty"`
}

// IsLeft reports whether the difference remains after the pull.
func (f Finding) IsLeft() bool { return f.Outcome != code.Edited }

// Reasons why pull leaves a whole resource unchanged.
const (
	reasonInstance  = "its block uses count or for_each, so it declares several objects"
	reasonTwins     = "a .tf file and a .tofu file both declare it. Make the change in both files"
	reasonMissing   = "no .tf file of its module declares it, and pull does not edit JSON files. Make the change yourself, or move the resource into a .tf file"
	reasonGone      = "it was deleted outside of Terraform, and the next apply creates it again. To accept the deletion, remove its block"
	reasonGoneKey   = "it was deleted outside of Terraform, and the next apply creates it again. To accept the deletion, remove its key from for_each, or lower count"
	reasonCreated   = "it is new in the configuration, and not applied yet"
	reasonDeleted   = "it was removed from the configuration, and this is not applied yet"
	reasonUnapplied = "changed in the configuration, and not applied yet"
	reasonPlanned   = "the plan changes it, but not because of an edit in PostHog"
)

// Edit writes the resources' drift into a directory's files, in memory. The findings report which
// differences were written and which remain. repairFlags select the environment in the repair commands of findings.
func Edit(dir string, config *tfjson.Config, resources []Resource, repairFlags ...string) ([]Change, []Finding, error) {
	p := pull{tree: newTree(dir, config), findings: []Finding{}, repairFlags: repairFlags}
	for _, resource := range resources {
		if err := p.edit(resource); err != nil {
			return nil, nil, err
		}
	}

	changes := p.changes()
	return changes, p.findings, nil
}

// WithLiteralIDs returns the resources of a directory's plan, updated with the question IDs that their
// blocks set. Edit keeps these IDs. A plan does not tell them from the IDs that it adds.
func WithLiteralIDs(dir string, config *tfjson.Config, resources []Resource) ([]Resource, error) {
	p := pull{tree: newTree(dir, config)}
	resources = slices.Clone(resources)
	for i, r := range resources {
		ids, err := p.literalIDs(r)
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			remembered := *r.remembered
			remembered.literalIDs = ids
			resources[i] = remembered.resource()
		}
	}
	return resources, nil
}

// changes returns the edited files. If a file's edits conflict, the file stays unchanged.
func (p *pull) changes() []Change {
	var changes []Change
	for _, module := range p.tree.read {
		for _, file := range module.files {
			if !file.IsChanged() {
				continue
			}
			original, edited, err := file.Bytes()
			if err != nil {
				p.leaveFile(file.Name, err)
				continue
			}
			// Update the checksum of an exported file, so that it still counts as unedited.
			changes = append(changes, Change{file.Name, original, code.Reseal(original, edited)})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

// leaveFile reports that a file's edits were not written.
func (p *pull) leaveFile(name string, err error) {
	for i, f := range p.findings {
		if f.File == name && f.Outcome == code.Edited {
			p.findings[i].Outcome, p.findings[i].Reason = code.Unresolved, err.Error()
		}
	}
}

// pull is the state of one call of Edit.
type pull struct {
	tree        *tree
	findings    []Finding
	repairFlags []string
}

func (p *pull) edit(r Resource) error {
	reasons := map[Disposition]string{Gone: reasonGone, Created: reasonCreated, Deleted: reasonDeleted}
	if reason, ok := reasons[r.Disposition]; ok {
		outcome := code.Pending
		if r.Disposition == Gone {
			outcome = code.Unresolved
			if r.IsInstance {
				reason = reasonGoneKey
			}
		}
		p.report(r, "", code.Finding{Outcome: outcome, Reason: reason})
		return nil
	}

	reportCount := len(p.findings)
	p.leaveSecretDefaults(r)
	if !r.Versions.IsSame() || len(r.requiredIDs) > 0 {
		if err := p.editFiles(r); err != nil {
			return err
		}
	}
	literalIDs, err := p.literalIDs(r)
	if err != nil {
		return err
	}
	p.reportDetachedAnswers(r, literalIDs)
	isNoEdit := r.restoresIDs && r.Versions.IsSame() // the plan changes only IDs without answers
	if r.IsPlanned && len(p.findings) == reportCount && !isNoEdit {
		p.report(r, "", code.Finding{Outcome: code.Pending, Reason: reasonPlanned})
	}
	return nil
}

// writtenIDs returns the question IDs that this pull writes into the survey's block.
func (p *pull) writtenIDs(r Resource) (ids []string) {
	for _, f := range p.findings {
		if id, _ := f.Live.(string); f.Resource.Address == r.Address && f.Outcome == code.Edited && strings.HasSuffix(f.Attribute, ".id") {
			ids = append(ids, id)
		}
	}
	return ids
}

// literalIDs returns the question IDs that a survey's block sets as literals. It reads the block only if they matter: if
// there are detached answers, or if the next apply imports the survey.
func (p *pull) literalIDs(r Resource) (ids []string, err error) {
	if len(r.Detached) == 0 && !r.memory.isNew {
		return nil, nil
	}
	module, _, err := p.tree.find(r.Modules)
	if module == nil {
		return nil, err
	}
	for _, block := range module.blocks(r) {
		ids = append(ids, block.file.StatedIDs(block.block)...)
	}
	return ids, err
}

// editFiles writes a resource's drift into its module's files.
func (p *pull) editFiles(r Resource) error {
	module, reason, err := p.tree.find(r.Modules)
	if err != nil {
		return err
	}
	var blocks []resourceBlock
	if module != nil {
		if blocks = module.blocks(r); len(blocks) == 0 {
			reason = reasonMissing
		}
	}
	if len(blocks) > 0 && (r.IsInstance || code.Has(blocks[0].block, "count") || code.Has(blocks[0].block, "for_each")) {
		reason = reasonInstance
	}
	if areTwins(blocks) {
		reason = reasonTwins
	}
	if reason != "" {
		p.leave(r, blocks, reason)
		return nil
	}
	p.merge(r, blocks)
	return nil
}

// merge merges each argument into the block that sets it. If several blocks set an argument, the override
// file's block is used. A new argument goes into the block that declares the resource.
func (p *pull) merge(r Resource, blocks []resourceBlock) {
	for i, block := range slices.Backward(blocks) {
		part := r.Versions.Select(func(name string) bool {
			for j := range slices.Backward(blocks) {
				if code.Has(blocks[j].block, name) {
					return i == j
				}
			}
			return i == 0
		})
		part = selectSettable(part, block)
		findings := block.file.Merge(block.block, part, code.Order(r.Type), r.identities())
		for _, finding := range append(findings, findUnreportedArguments(block, part, findings)...) {
			p.report(r, block.file.Name, finding)
		}
	}
}

// identities returns the question IDs that the merge must write, and the IDs that are still
// undecided.
func (r Resource) identities() code.Identities {
	live := object(r.Versions.Live)
	questions, _ := live[questionsName].([]any)

	undecided := slices.Clone(r.guessedIDs)
	for _, d := range r.Detached.Undecided() {
		undecided = append(undecided, d.ID, d.OldID)
	}
	for _, d := range r.Detached.Possible() {
		if !d.IsMoved { // otherwise, a plan could confuse the questions by their texts
			undecided = append(undecided, d.ID)
		}
	}

	return code.Identities{
		Stated: r.requiredIDs,
		// A question of a survey that was not launched since the last apply has no answers that could be detached.
		StatesNew: live["start_date"] != nil || object(r.Versions.Applied)["start_date"] != nil,
		Undecided: undecided,
		Planned: func(ours []identity.Question) []string {
			ids := make([]string, len(ours))
			for i, pair := range r.memory.questions.Match(identity.NewQuestions(questions), ours) {
				ids[i] = pair.ID
			}
			return ids
		},
	}
}

// StateIDs writes question IDs into a survey's configuration, in memory. ids maps each question's planned ID
// to the ID that the configuration must set.
func StateIDs(dir string, config *tfjson.Config, r Resource, ids map[string]string) ([]Change, []Finding, error) {
	arguments, _ := r.Versions.Code.(map[string]any)
	list, _ := arguments[questionsName].([]any)
	version := withQuestions(arguments, withIDs(list, ids))
	r.Versions = code.Versions{Applied: version, Code: version, Live: version}.Select(func(name string) bool { return name == questionsName })
	r.requiredIDs = slices.Sorted(maps.Values(ids))
	p := pull{tree: newTree(dir, config)}
	if err := p.editFiles(r); err != nil {
		return nil, nil, err
	}
	changes := p.changes()
	return changes, p.findings, nil
}

// findUnreportedArguments returns findings for arguments that the plan changes and that have no other finding. The
// source text of such an argument equals the live value, but its planned value differs.
func findUnreportedArguments(block resourceBlock, v code.Versions, findings []code.Finding) []code.Finding {
	var missing []code.Finding
	for _, name := range v.Differing() {
		if slices.ContainsFunc(findings, func(f code.Finding) bool { return Root(f.Attribute) == name }) {
			continue
		}
		finding := code.Finding{Outcome: code.Unresolved, Line: block.block.DefRange().Start.Line, Attribute: name, Reason: reasonPlanned}
		if v.IsPending(name) {
			finding.Outcome, finding.Reason = code.Pending, reasonUnapplied
		}
		if attribute := block.block.Body.Attributes[name]; attribute != nil {
			finding.Line = attribute.SrcRange.Start.Line
		}
		missing = append(missing, finding)
	}
	return missing
}

// derived lists arguments that depend on each other or that PostHog computes. pull never adds such an
// argument to the configuration.
var derived = []string{
	"status", "start_date", "end_date", "iteration_start_dates", "current_iteration", "current_iteration_start_date", "project_id", "organization_id",
}

func selectSettable(v code.Versions, block resourceBlock) code.Versions {
	return v.Select(func(name string) bool { return !slices.Contains(derived, name) || code.Has(block.block, name) })
}

// leave reports that all of a resource's drift remains.
func (p *pull) leave(r Resource, blocks []resourceBlock, reason string) {
	file := ""
	line := 0
	if len(blocks) > 0 {
		file, line = blocks[0].file.Name, blocks[0].block.DefRange().Start.Line
	}
	findings := code.Leave(r.Versions, line, reason)
	isLeft := func(f code.Finding) bool { return f.Outcome == code.Unresolved && Root(f.Attribute) == questionsName }
	if len(r.requiredIDs) > 0 && !slices.ContainsFunc(findings, isLeft) {
		findings = append(findings, code.Finding{Outcome: code.Unresolved, Line: line, Attribute: questionsName, Reason: reason})
	}
	for _, finding := range findings {
		p.report(r, file, finding)
	}
}

// Redacted replaces sensitive values in reports.
const Redacted = "(sensitive value)"

func (p *pull) report(r Resource, file string, finding code.Finding) {
	if r.Sensitive[Root(finding.Attribute)] {
		finding.Code, finding.Live = Redacted, Redacted
	}
	finding.Code, finding.Live = printable(finding.Code), printable(finding.Live)
	p.findings = append(p.findings, Finding{Finding: finding, Resource: r, Address: r.Address, File: file})
}

// printable converts a value to JSON that readers understand.
func printable(value any) any {
	switch value := value.(type) {
	case jsonvalue.Text:
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	case code.Unknown:
		return "(known after apply)"
	}
	return value
}

// Root returns the argument at the start of a path.
func Root(path string) string {
	for i, letter := range path {
		if letter == '.' || letter == '[' {
			return path[:i]
		}
	}
	return path
}

// schemaName is the argument whose fields can have secret defaults.
const schemaName = "config_schema"

// withoutSecretDefaults removes an import app's secret defaults from the merge if they differ from the
// configuration, and records the keys of their fields. Anyone who can read the configuration could read a
// secret in it.
func (b basedResource) withoutSecretDefaults() Resource {
	r := Resource{basedResource: b}
	inCode := schemaFields(decodeSchema(r.Versions.Code))
	withheld := map[string]bool{}

	for _, version := range []*any{&r.Versions.Applied, &r.Versions.Live} {
		schema, isChanged := decodeSchema(*version), false
		api.EachSecretDefault(schema, func(key string, field map[string]any) {
			r.Sensitive[schemaName] = true
			configuredDefault, isConfigured := inCode[key]["default"]
			if jsonvalue.Equal(field["default"], configuredDefault) {
				return
			}

			isChanged = true
			if version == &r.Versions.Live {
				withheld[key] = true
			}
			if delete(field, "default"); isConfigured {
				field["default"] = configuredDefault
			}
		})
		if isChanged {
			*version = withSchema(*version, schema)
		}
	}

	api.EachSecretDefault(decodeSchema(r.Versions.Code), func(string, map[string]any) { r.Sensitive[schemaName] = true })
	r.withheld = slices.Sorted(maps.Keys(withheld))
	return r
}

// leaveSecretDefaults reports the secret defaults that pull does not write.
func (p *pull) leaveSecretDefaults(r Resource) {
	for _, key := range r.withheld {
		p.report(r, "", code.Finding{Outcome: code.Unresolved, Attribute: schemaName, Reason: fmt.Sprintf(
			"the default of the secret field %q differs from the configuration. Secrets are not written: pass the default in a sensitive variable, or add config_schema to ignore_changes", key,
		)})
	}
}

// decodeSchema returns the config_schema in a version of an app, or nil.
func decodeSchema(version any) any {
	arguments, _ := version.(map[string]any)
	text, _ := arguments[schemaName].(jsonvalue.Text)
	schema, err := jsonvalue.Decode(text)
	if err != nil {
		return nil
	}
	return schema
}

// withSchema returns a copy of a version with a different config_schema.
func withSchema(version, schema any) any {
	text, _ := json.Marshal(schema) // decoded JSON can always be encoded
	arguments, _ := version.(map[string]any)
	arguments = maps.Clone(arguments)
	arguments[schemaName] = jsonvalue.Text(text)
	return arguments
}

// schemaFields returns the fields of a config_schema by key.
func schemaFields(schema any) map[string]map[string]any {
	fields := map[string]map[string]any{}
	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			field, _ := element.(map[string]any)
			if key, _ := field["key"].(string); field != nil {
				fields[key] = field
			}
		}
	case map[string]any:
		for key, value := range schema {
			fields[key], _ = value.(map[string]any)
		}
	}
	return fields
}
