package pull

import (
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
)

// StateIDs writes ids of questions into the code of a survey, in memory. ids are those that the
// code has to state, by any id under which a plan knows the question. The findings say what was
// written and what was left.
func StateIDs(dir string, config *tfjson.Config, r Resource, ids map[string]string) ([]Change, []Finding, error) {
	code, _ := r.Versions.Code.(map[string]any)
	questions, _ := code[questionsName].([]any)
	wanted := make([]string, len(questions))
	isWanted := false
	for i := range questions {
		wanted[i] = ids[idOf(questions[i])]
		isWanted = isWanted || wanted[i] != ""
	}
	if !isWanted {
		return nil, nil, nil
	}

	p := pull{tree: newTree(dir, config)}
	block, reason, err := p.questionsBlock(r)
	if err != nil {
		return nil, nil, err
	}
	if reason != "" {
		p.found(r, "", hcledit.Finding{Outcome: hcledit.Unresolved, Attribute: questionsName, Reason: reason})
		return nil, p.findings, nil
	}
	for _, finding := range block.file.StateIDs(block.block, wanted) {
		p.found(r, block.file.Name, finding)
	}
	if !block.file.IsChanged() {
		return nil, p.findings, nil
	}
	change, err := changeOf(dir, block.file)
	return []Change{change}, p.findings, err
}

// questionsBlock is the block that states the questions of a survey, or the reason for which
// its file is not edited.
func (p *pull) questionsBlock(r Resource) (found stated, reason string, err error) {
	module, reason, err := p.tree.find(r.Modules)
	if err != nil || reason != "" {
		return stated{}, reason, err
	}
	for _, block := range module.blocks(r) { // of several the overriding one counts
		if r.IsInstance || hcledit.Has(block.block, "count") || hcledit.Has(block.block, "for_each") {
			return stated{}, reasonInstance, nil
		}
		if hcledit.Has(block.block, questionsName) {
			found = block
		}
	}
	if found.block == nil {
		return stated{}, reasonMissing, nil
	}
	return found, "", nil
}

// Memory is what the private state of a survey remembers of its questions, of what
// [PrivateStates] read.
func (r Resource) Memory(private map[string]map[string][]byte) []byte {
	return private[r.Address][survey.HistoryKey]
}
