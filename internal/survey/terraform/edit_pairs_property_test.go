package terraform_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Whatever was done to the questions in the web interface and in the configuration, an
// apply gives each question the id that it had when it was last applied, and no other
// question gets it.
func TestA3RandomEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	envs := map[testserver.Profile]*acctest.Env{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
		envs[profile].Differential(t)
	}
	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		env := envs[rapid.SampledFrom(profiles).Draw(r, "profile")]
		pair := editPairs().Draw(r, "edits")
		env.SetFixtures("{}")
		survey := env.Resource(t, "posthog_survey")
		wantApplied(r, survey, asking(configuredAs(pair.applied)...))
		ids := questionIDs(t, only(t, env))

		editQuestions(t, env, func([]any) []any { return pair.inUI(ids) })
		if read := survey.Refresh(); read.HasError() {
			r.Fatal(read.Text())
		}
		wantApplied(r, survey, asking(configuredAs(pair.config)...))
		if wrong := pair.wrongID(ids, questionIDs(t, only(t, env))); wrong != "" {
			r.Fatal(wrong)
		}
		wantEmpty(r, survey, asking(configuredAs(pair.config)...))
	})
}

func wantApplied(r *rapid.T, survey *acctest.Resource, config object) {
	if applied := survey.Apply(config); applied.HasError() {
		r.Fatal(applied.Text())
	}
}

// look is a check of a step that looks at the server.
type look func()

// CheckState implements statecheck.StateCheck.
func (l look) CheckState(context.Context, statecheck.CheckStateRequest, *statecheck.CheckStateResponse) {
	l()
}

// The same with Terraform, all surveys in one configuration. SURVEY_EDIT_PAIRS is the
// number of pairs, 40 when it is not set: every survey takes the CLI a second or more.
func TestAccA3RandomEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	surveys := 40
	if testing.Short() {
		surveys = 10
	}
	if number := os.Getenv("SURVEY_EDIT_PAIRS"); number != "" {
		var err error
		surveys, err = strconv.Atoi(number)
		require.NoError(t, err, "SURVEY_EDIT_PAIRS")
	}

	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	pairs := make([]editPair, surveys)
	applied, configured := make([][]any, surveys), make([][]any, surveys)
	for i := range pairs {
		pairs[i] = editPairs().Example(i)
		applied[i], configured[i] = configuredAs(pairs[i].applied), configuredAs(pairs[i].config)
	}
	step := func(all [][]any) resource.TestStep {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return resource.TestStep{ConfigFile: file("edit_pairs.tf"), ConfigVariables: config.Variables{"surveys": config.StringVariable(string(text))}}
	}

	each := func(do func(i int, survey map[string]any)) {
		stored := env.Surveys(t)
		require.Len(t, stored, surveys)
		for _, survey := range stored {
			name, _ := survey["name"].(string)
			i, err := strconv.Atoi(strings.TrimPrefix(name, "Survey "))
			require.NoError(t, err)
			do(i, survey)
		}
	}
	ids := make([][]string, surveys)
	edit := step(configured)
	edit.PreConfig = func() {
		each(func(i int, survey map[string]any) {
			ids[i] = questionIDs(t, survey)
			env.PatchSurvey(survey["id"].(string), testserver.Object{"questions": pairs[i].inUI(ids[i])})
		})
	}
	checked := 0
	edit.ConfigStateChecks = []statecheck.StateCheck{look(func() {
		each(func(i int, survey map[string]any) {
			assert.Empty(t, pairs[i].wrongID(ids[i], questionIDs(t, survey)), "%d: %+v", i, pairs[i])
			checked++
		})
	})}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps:                    []resource.TestStep{step(applied), edit},
	})
	assert.Equal(t, surveys, checked)
}

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
	applied, ui, config := make([]identity.Question, len(p.applied)), make([]identity.Question, len(p.ui)), make([]identity.Question, len(p.config))
	for i, q := range p.applied {
		applied[i] = q.asMatched(ids[i])
	}
	for i, id := range p.inUI(ids) {
		ui[i] = p.ui[i].asMatched(fmt.Sprint(id.(object)["id"]))
	}
	for i, q := range p.config {
		config[i] = q.asMatched("")
	}

	history := identity.History{}.AfterWrite(applied).AfterRead(nil, ui, false)
	after := make([]string, len(config))
	for i, pair := range history.Match(ui, config) {
		after[i] = cmp.Or(pair.ID, fmt.Sprint("minted ", i))
	}
	return after
}

func (q editedQuestion) asMatched(id string) identity.Question {
	return identity.Question{ID: id, Type: q.kind, Text: q.text, Content: identity.NoContent}
}

// editPair is a list of questions as it was applied, and what was made of it since in
// the web interface and in the configuration.
type editPair struct{ applied, ui, config []editedQuestion }

// editedQuestion is a question in an edit script. Every text is written in letters of
// its own, so that no two of them are alike.
type editedQuestion struct {
	kind, text string
	// origin is its place in the applied list, -1 for one that was inserted since.
	origin int
	// made is a number that no other inserted question has.
	made int
}

// editPairs draws pairs of edit scripts. In the web interface anything is done. The
// configuration either moves questions or rewords them: one that is both moved and
// reworded is not known to be the same. What it inserts is a link, which none of the
// others is: one that is put in the place of a deleted question of its type is not
// known to be another.
func editPairs() *rapid.Generator[editPair] {
	return rapid.Custom(func(r *rapid.T) editPair {
		pair := editPair{}
		for i := range rapid.IntRange(1, 6).Draw(r, "questions") {
			kind := rapid.SampledFrom([]string{"open", "multiple_choice"}).Draw(r, "type")
			pair.applied = append(pair.applied, editedQuestion{kind: kind, text: text(i), origin: i})
		}
		pair.ui = afterEdits(r, pair.applied, 100, "insert", "delete", "move", "reword", "rewrite", "retype")
		inCode := rapid.SampledFrom([][]string{
			{"insert link", "delete", "move", "retype"}, {"insert link", "delete", "reword", "retype"}, {"reword"}, {"move"},
		}).Draw(r, "kind of edits in code")
		pair.config = afterEdits(r, pair.applied, 200, inCode...)
		return pair
	})
}

// afterEdits applies a few edits out of those named; fresh is the number of the first new
// text.
func afterEdits(r *rapid.T, list []editedQuestion, fresh int, names ...string) []editedQuestion {
	list = slices.Clone(list)
	for step := range rapid.IntRange(0, 6).Draw(r, "edits") {
		number := fresh + step
		switch name := rapid.SampledFrom(names).Draw(r, "edit"); {
		case strings.HasPrefix(name, "insert"):
			q := editedQuestion{kind: "open", text: text(number), origin: -1, made: number}
			if name == "insert link" {
				q.kind = "link"
			}
			list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(r, "at"), q)
		case len(list) > 0:
			editOne(r, name, &list, number)
		}
	}
	return list
}

func editOne(r *rapid.T, name string, list *[]editedQuestion, number int) {
	at := rapid.IntRange(0, len(*list)-1).Draw(r, "at")
	q := &(*list)[at]
	switch name {
	case "delete":
		*list = slices.Delete(*list, at, at+1)
	case "move":
		moved := *q
		*list = slices.Delete(*list, at, at+1)
		*list = slices.Insert(*list, rapid.IntRange(0, len(*list)).Draw(r, "to"), moved)
	case "reword":
		q.text = strings.TrimSuffix(q.text, "?") + "?"
	case "rewrite":
		q.text = text(number)
	case "retype":
		q.kind = map[string]string{"open": "multiple_choice", "multiple_choice": "open", "link": "link"}[q.kind]
	}
}

// asConfigured is the question as a configuration has it.
func (q editedQuestion) asConfigured() object {
	out := object{"type": q.kind, "question": q.text}
	switch q.kind {
	case "multiple_choice":
		out["choices"] = []any{"a", "b"}
	case "link":
		out["link"] = "https://example.com"
	}
	return out
}

func configuredAs(list []editedQuestion) []any {
	out := make([]any, len(list))
	for i, q := range list {
		out[i] = q.asConfigured()
	}
	return out
}

// inUI is what the web interface makes of stored questions, whose ids are those of the
// applied list.
func (p editPair) inUI(ids []string) []any {
	out := make([]any, len(p.ui))
	for i, q := range p.ui {
		one := q.asConfigured()
		one["id"] = fmt.Sprint("made in the UI ", q.made)
		if q.origin >= 0 {
			one["id"] = ids[q.origin]
		}
		out[i] = one
	}
	return out
}

// wrongID says which question has not the id that it should have after an apply, given
// the ids that it led to and those of the applied list; "" when all are right.
func (p editPair) wrongID(ids, after []string) string {
	if len(after) != len(p.config) {
		return fmt.Sprintf("%d questions are stored, %d are configured", len(after), len(p.config))
	}
	for i, q := range p.config {
		// To a person one that was retyped on both sides alike is still one question, whatever
		// either side did to its text: of what the service holds, the code changes no type.
		isKept := q.origin >= 0 && (q.kind == p.applied[q.origin].kind || p.isInUI(q.origin, q.kind))
		wasKnown := slices.Contains(ids, after[i]) || strings.HasPrefix(after[i], "made in the UI")
		switch {
		case slices.Index(after, after[i]) != i:
			return fmt.Sprintf("question %d has the id of another: %q", i, after)
		case isKept && after[i] != ids[q.origin]:
			return fmt.Sprintf("question %d was %q and is %q", i, ids[q.origin], after[i])
		case !isKept && wasKnown:
			return fmt.Sprintf("question %d is new and has the id %q", i, after[i])
		}
	}
	return ""
}

// isInUI reports whether the web interface left a question of the applied list there, with a
// type.
func (p editPair) isInUI(origin int, kind string) bool {
	return slices.ContainsFunc(p.ui, func(q editedQuestion) bool { return q.origin == origin && q.kind == kind })
}
