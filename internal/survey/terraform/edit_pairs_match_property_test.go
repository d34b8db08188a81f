package terraform_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// The matching alone holds the same for many more pairs of edit scripts than a server can
// be asked about.
func TestA3MatchKeepsQuestionIDs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		for range 20 {
			pair := editPairs().Draw(r, "edits")
			if wrong := pair.wrongID(pair.ids(), pair.matched()); wrong != "" {
				r.Fatal(wrong)
			}
		}
	})
}

// ids are those of the applied list.
func (p editPair) ids() []string {
	ids := make([]string, len(p.applied))
	for i := range p.applied {
		ids[i] = fmt.Sprint("applied ", i)
	}
	return ids
}

// matched are the ids that the questions of the configuration get after a refresh has seen
// the edits of the web interface.
func (p editPair) matched() []string {
	ids := p.ids()
	applied, ui, config := make([]survey.Question, len(p.applied)), make([]survey.Question, len(p.ui)), make([]survey.Question, len(p.config))
	for i, q := range p.applied {
		applied[i] = q.asMatched(ids[i])
	}
	for i, id := range p.inUI(ids) {
		ui[i] = p.ui[i].asMatched(fmt.Sprint(id.(object)["id"]))
	}
	for i, q := range p.config {
		config[i] = q.asMatched("")
	}

	history := survey.QuestionHistory{}.AfterWrite(applied, applied).AfterRead(nil, ui, false)
	after := make([]string, len(config))
	for i, origin := range survey.Match(ui, history, config) {
		after[i] = fmt.Sprint("minted ", i)
		if !origin.ID.IsNull() {
			after[i] = origin.ID.ValueString()
		}
	}
	return after
}

func (q editedQuestion) asMatched(id string) survey.Question {
	out := survey.Question{ID: types.StringNull(), Type: types.StringValue(q.kind), Question: types.StringValue(q.text)}
	if id != "" {
		out.ID = types.StringValue(id)
	}
	return out
}
