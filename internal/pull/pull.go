package pull

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/codedir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/hclfile"
)

// Change is a file with its new content.
type Change struct {
	// Path is relative to the directory.
	Path          string
	Before, After []byte
}

// Finding is a difference between a resource and its live object.
type Finding struct {
	hcledit.Finding
	Resource Resource
	// File is relative to the directory; empty when the code is not known.
	File string
}

// The reasons for which a resource is left as a whole.
const (
	reasonInstance = "count or for_each makes it, so the code is that of several objects"
	reasonMissing  = "no file of its module declares it in the native syntax"
	reasonGone     = "it was deleted outside of Terraform: an apply makes it anew; to agree, delete the block"
	reasonCreated  = "it is new in the code, and not applied yet"
	reasonDeleted  = "it was taken out of the code, and that is not applied yet"
)

// Edit writes the drift of the resources of a plan into the files of a directory, in
// memory. The findings say what was written and what was left.
func Edit(dir string, config *tfjson.Config, resources []Resource) ([]Change, []Finding, error) {
	p := pull{tree: newTree(dir, config)}
	for _, one := range resources {
		if err := p.edit(one); err != nil {
			return nil, nil, err
		}
	}

	var changes []Change
	for _, module := range p.tree.read {
		for _, file := range module.files {
			if !file.IsChanged() {
				continue
			}
			change, err := changeOf(dir, file)
			if err != nil {
				return nil, nil, err
			}
			changes = append(changes, change)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes, p.findings, nil
}

// changeOf is the new content of a file. A file of an export stays one, with a new
// checksum.
func changeOf(dir string, file *hcledit.File) (Change, error) {
	before, err := os.ReadFile(filepath.Join(dir, file.Name)) //nolint:gosec // the directory that the user named
	if err != nil {
		return Change{}, err
	}
	after, err := file.Bytes()
	if err != nil {
		return Change{}, err
	}
	after, err = codedir.Reseal(before, after)
	return Change{file.Name, before, after}, err
}

// pull is the state of the edits of a plan.
type pull struct {
	tree     *tree
	findings []Finding
}

func (p *pull) edit(r Resource) error {
	wholes := map[Whole]string{Gone: reasonGone, Created: reasonCreated, Deleted: reasonDeleted}
	if reason, ok := wholes[r.Whole]; ok {
		outcome := hcledit.Pending
		if r.Whole == Gone {
			outcome = hcledit.Left
		}
		p.found(r, "", hcledit.Finding{Outcome: outcome, Reason: reason})
		return nil
	}
	if r.Versions.IsSame() {
		return nil
	}

	module, reason, err := p.tree.find(r.Modules)
	if err != nil {
		return err
	}
	var blocks []stated
	if module != nil {
		if blocks = module.blocks(r); len(blocks) == 0 {
			reason = reasonMissing
		}
	}
	if len(blocks) > 0 && (r.IsInstance || hcledit.Has(blocks[0].block, "count") || hcledit.Has(blocks[0].block, "for_each")) {
		reason = reasonInstance
	}
	if reason != "" {
		p.leave(r, blocks, reason)
		return nil
	}
	p.merge(r, blocks)
	return nil
}

// merge merges each argument into the block that has it. Of several the overriding one
// counts; a new argument goes into the block that declares the resource.
func (p *pull) merge(r Resource, blocks []stated) {
	for i, one := range slices.Backward(blocks) {
		part := r.Versions.Select(func(name string) bool {
			for j := range slices.Backward(blocks) {
				if hcledit.Has(blocks[j].block, name) {
					return i == j
				}
			}
			return i == 0
		})
		part = withoutDerived(part, one)
		for _, finding := range one.file.Merge(one.block, part, hclfile.Order(r.Type)) {
			p.found(r, one.file.Name, finding)
		}
	}
}

// derived are arguments that depend on each other or on the service: the status and the
// dates, and the current iteration. None is written if the code omits it.
var derived = []string{
	"status", "start_date", "end_date", "iteration_start_dates", "current_iteration", "current_iteration_start_date", "project_id", "organization_id",
}

func withoutDerived(v hcledit.Versions, one stated) hcledit.Versions {
	return v.Select(func(name string) bool { return !slices.Contains(derived, name) || hcledit.Has(one.block, name) })
}

// leave reports all drift of a resource as left.
func (p *pull) leave(r Resource, blocks []stated, reason string) {
	file := ""
	line := 0
	if len(blocks) > 0 {
		file, line = blocks[0].file.Name, blocks[0].block.DefRange().Start.Line
	}
	for _, finding := range hcledit.Leave(r.Versions, line, reason) {
		p.found(r, file, finding)
	}
}

// Withheld replaces a sensitive value.
const Withheld = "(sensitive value)"

func (p *pull) found(r Resource, file string, finding hcledit.Finding) {
	if r.Sensitive[Root(finding.Attribute)] {
		finding.Code, finding.Live = Withheld, Withheld
	}
	p.findings = append(p.findings, Finding{finding, r, file})
}

// Root is the argument at the beginning of a path.
func Root(path string) string {
	for i, letter := range path {
		if letter == '.' || letter == '[' {
			return path[:i]
		}
	}
	return path
}
