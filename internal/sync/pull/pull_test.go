package pull_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

type object = map[string]any

// change is one resource in a plan: its last applied values, its values in PostHog, and its configuration.
type change struct {
	address                string
	index                  any
	applied, live, planned object
	actions                tfjson.Actions
}

// edit pulls the changes into a directory with one file. It returns the file and the findings, each with its outcome,
// attribute, and reason.
func edit(t *testing.T, file, text string, changes ...change) (after string, findings []string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	plan := &tfjson.Plan{}
	for _, c := range changes {
		one := &tfjson.ResourceChange{
			Address: c.address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", Index: c.index, ProviderName: "ours",
			Change: &tfjson.Change{Actions: c.actions},
		}
		if c.live != nil {
			one.Change.Before = c.live
		}
		if c.planned != nil {
			one.Change.After = c.planned
		}
		plan.ResourceChanges = append(plan.ResourceChanges, one)
		if c.applied != nil {
			drift := *one
			drift.Change = &tfjson.Change{Before: c.applied, After: one.Change.Before}
			plan.ResourceDrift = append(plan.ResourceDrift, &drift)
		}
	}

	resources, err := pull.Resources(plan, nil, nil, func(provider string) bool { return provider == "ours" })
	require.NoError(t, err)
	written, found, err := pull.Edit(dir, nil, resources)
	require.NoError(t, err)
	for _, f := range found {
		findings = append(findings, string(f.Outcome)+" "+f.Attribute+": "+f.Reason)
	}
	if after = text; len(written) > 0 {
		after = string(written[0].After)
	}
	return after, findings
}

const address = "posthog_survey.s"

var (
	update = tfjson.Actions{tfjson.ActionUpdate}
	noOp   = tfjson.Actions{tfjson.ActionNoop}
)

func TestEditWritesWhatDrifted(t *testing.T) {
	t.Parallel()
	after, findings := edit(t, "main.tf", "resource \"posthog_survey\" \"s\" {\n  name = \"NPS\"\n}\n",
		change{address: address, applied: object{"name": "NPS"}, live: object{"name": "Net"}, planned: object{"name": "NPS"}, actions: update})
	assert.Equal(t, "resource \"posthog_survey\" \"s\" {\n  name = \"Net\"\n}\n", after)
	assert.Equal(t, []string{"edited name: "}, findings)
}

// If the plan changes nothing, no differences remain. If the plan changes anything, a difference remains, even if it
// is not visible.
func TestFindingsFollowThePlan(t *testing.T) {
	t.Parallel()
	text := "resource \"posthog_survey\" \"s\" {\n  name = \"NPS\"\n}\n"
	same := object{"name": "NPS"}
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }

	for name, c := range map[string]struct {
		change
		want []string
	}{
		"nothing":  {change{live: same, planned: same, actions: noOp}, nil},
		"replaced": {change{live: same, planned: same, actions: tfjson.Actions{tfjson.ActionDelete, tfjson.ActionCreate}}, []string{"pending : the plan changes it, but not because of an edit in PostHog"}},
		"new":      {change{planned: same, actions: tfjson.Actions{tfjson.ActionCreate}}, []string{"pending : it is new in the configuration, and not applied yet"}},
		"removed":  {change{live: same, actions: tfjson.Actions{tfjson.ActionDelete}}, []string{"pending : it was removed from the configuration, and this is not applied yet"}},
		"gone": {change{applied: same, planned: same, actions: tfjson.Actions{tfjson.ActionCreate}},
			[]string{"left : it was deleted outside of Terraform, and the next apply creates it again. To accept the deletion, remove its block"}},
		"gone instance": {change{index: "a", applied: same, planned: same, actions: tfjson.Actions{tfjson.ActionCreate}},
			[]string{"left : it was deleted outside of Terraform, and the next apply creates it again. To accept the deletion, remove its key from for_each, or lower count"}},
		"only in the code": {change{live: object{"name": "Net"}, planned: same, actions: update}, []string{"pending name: changed in the configuration, and not applied yet"}},
		"instance": {change{index: "a", applied: same, live: object{"name": "Net"}, planned: same, actions: update},
			[]string{"left name: its block uses count or for_each, so it declares several objects"}},
		"instance, changed in the code alone": {change{index: "a", live: object{"name": "Net"}, planned: same, actions: update},
			[]string{"pending name: changed in the configuration, and not applied yet"}},
		"instance, changed in both": {
			change{
				index: "a", actions: update,
				applied: object{"questions": []any{question("a", "A?"), question("b", "B?")}},
				live:    object{"questions": []any{question("a", "A!"), question("b", "B?"), question("d", "D?")}},
				planned: object{"questions": []any{question("a", "A?"), question("b", "B, now?"), question("c", "C?")}},
			},
			[]string{
				"left questions[0].question: its block uses count or for_each, so it declares several objects",
				"pending questions[1].question: changed in the configuration, and not applied yet",
				"pending questions[2]: changed in the configuration, and not applied yet",
				"left questions[2]: its block uses count or for_each, so it declares several objects",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.address = address
			after, findings := edit(t, "main.tf", text, c.change)
			assert.Equal(t, text, after)
			assert.Equal(t, c.want, findings)
		})
	}
}

// pull does not edit configuration in JSON, and reports the reason.
func TestJSONIsLeft(t *testing.T) {
	t.Parallel()
	_, findings := edit(t, "main.tf.json", `{"resource": {"posthog_survey": {"s": {"name": "NPS"}}}}`,
		change{address: address, applied: object{"name": "NPS"}, live: object{"name": "Net"}, planned: object{"name": "NPS"}, actions: update})
	assert.Equal(t, []string{"left name: no .tf file of its module declares it, and pull does not edit JSON files. Make the change yourself, or move the resource into a .tf file"}, findings)
}

// If the questions were reordered only in the configuration, pull keeps their order when it edits one of them.
func TestOrderOfTheCodeIsLeft(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	text := `resource "posthog_survey" "s" {
  questions = [
    { type = "open", question = "B?" },
    { type = "open", question = "A?" },
  ]
}
`
	after, findings := edit(t, "main.tf", text, change{
		address: address, actions: update,
		applied: object{"questions": []any{question("a", "A?"), question("b", "B?")}},
		live:    object{"questions": []any{question("a", "A ui?"), question("b", "B?")}},
		planned: object{"questions": []any{question("b", "B?"), question("a", "A?")}},
	})
	assert.Contains(t, after, `question = "A ui?" }`)
	assert.Equal(t, []string{string(code.Pending) + " questions: changed in the configuration, and not applied yet", "edited questions[1].question: "}, findings)
}

// PostHog may not store an ID for a question whose ID a save omitted. This does not count as an edit of the question:
// the configuration sets the ID, and the next apply restores it.
func TestLeftOutIDIsNoEdit(t *testing.T) {
	t.Parallel()
	question := func(id any, text string) any { return object{"id": id, "type": "open", "question": text} }
	const head, end = "resource \"posthog_survey\" \"s\" {\n  questions = [\n", "  ]\n}\n"
	const a, b = "    { type = \"open\", question = \"A?\" },\n", "    { type = \"open\", question = \"B?\" },\n"
	const aWithID, bWithID = "    { type = \"open\", question = \"A?\", id = \"a\" },\n", "    { type = \"open\", question = \"B?\", id = \"b\" },\n"

	for name, c := range map[string]struct {
		live     []any
		want     string
		detached int
	}{
		"one":           {[]any{question(nil, "A?"), question("b", "B?")}, aWithID + b, 1},
		"all":           {[]any{question(nil, "A?"), question(nil, "B?")}, aWithID + bWithID, 2},
		"one, moved":    {[]any{question("b", "B?"), question(nil, "A?")}, b + aWithID, 1},
		"all, moved":    {[]any{question(nil, "B?"), question(nil, "A?")}, bWithID + aWithID, 2},
		"none left out": {[]any{question("a", "A?"), question("b", "B?")}, a + b, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, findings := edit(t, "main.tf", head+a+b+end, change{
				address: address, actions: noOp,
				applied: object{"questions": []any{question("a", "A?"), question("b", "B?")}},
				live:    object{"questions": c.live},
				planned: object{"questions": []any{question("a", "A?"), question("b", "B?")}},
			})
			assert.Equal(t, head+c.want+end, after)
			detached := 0
			for _, finding := range findings {
				assert.NotRegexp(t, "^(pending|conflict)", finding)
				if strings.Contains(finding, "the next apply restores it") {
					detached++
				}
			}
			assert.Equal(t, c.detached, detached, findings)
		})
	}
}

// A save without IDs replaced the ID of a question without answers. This does not count as an edit, because the next
// apply restores the ID.
func TestReplacedIDWithoutAnswersIsNoEdit(t *testing.T) {
	t.Parallel()
	question := func(id string) object {
		return object{"questions": []any{object{"id": id, "type": "open", "question": "Why?"}}}
	}
	change := &tfjson.ResourceChange{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: update, Before: question("new"), After: question("old")},
	}
	drift := *change
	drift.Change = &tfjson.Change{Before: question("old"), After: question("new")}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}

	for counts, want := range map[string]int{`"before": 0, "since": 0`: 0, `"before": 2, "since": 0`: 1, `"since": 0`: 1} {
		private := map[string]map[string][]byte{address: {"applied_questions": []byte(`{"written": 1, "accepted": 1, "lists": [[0], [1]], "questions": [
			{"id": "new", "type": "open", "question": "Why?", "content": "-"}, {"id": "old", "type": "open", "question": "Why?", "content": "-"}],
			"cuts": {"new": {"old": "old", ` + counts + `}}}`)}}
		resources, err := pull.Resources(plan, private, nil, func(string) bool { return true })
		require.NoError(t, err)
		_, findings, err := pull.Edit(directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  questions = [{ type = \"open\", question = \"Why?\" }]\n}\n"}), nil, resources)
		require.NoError(t, err)
		left := 0
		for _, f := range findings {
			assert.NotEqual(t, code.Pending, f.Outcome, counts)
			if f.Kind == code.Detached {
				left++
			}
		}
		assert.Equal(t, want, left, counts)
		assert.True(t, want > 0 || len(findings) == 0, "%s: %v", counts, findings)
	}
}

// The configuration sets a question's new ID, or ignores changes to the ID. The apply keeps the new ID, and the
// answers stay detached. Each pull reports this, and edits nothing.
func TestPullReportsDetachedAnswersThatAnApplyKeeps(t *testing.T) {
	t.Parallel()
	questions := object{"questions": []any{object{"id": "new", "type": "open", "question": "Why?"}}}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: noOp, Before: questions, After: questions},
	}}}
	private := map[string]map[string][]byte{address: {"applied_questions": []byte(`{"written": 1, "accepted": 1, "lists": [[0], [1]], "questions": [
		{"id": "new", "type": "open", "question": "Why?", "content": "-"}, {"id": "old", "type": "open", "question": "Why?", "content": "-"}],
		"cuts": {"new": {"old": "old", "before": 3, "since": 0}}}`)}}

	for source, reason := range map[string]string{
		`{ id = "new", type = "open", question = "Why?" }`: "the configuration sets the new ID, so the next apply keeps it; to restore the old ID, set the question's id to it, or run posthog-sync repair",
		`{ type = "open", question = "Why?" }`:             "ignore_changes hides the new ID from the configuration, so the next apply keeps it; to restore the old ID, run posthog-sync repair",
	} {
		resources, err := pull.Resources(plan, private, nil, func(string) bool { return true })
		require.NoError(t, err)
		changes, findings, err := pull.Edit(directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  questions = [" + source + "]\n}\n"}), nil, resources)
		require.NoError(t, err)
		assert.Empty(t, changes, source)
		require.Len(t, findings, 1, source)
		assert.Contains(t, findings[0].Reason, "detached answers (at most 3 answers under the old ID old, no answers under the new ID new); "+reason, source)
	}
}

// A repair command of pull uses the environment of the run, and the directory whose state has the old IDs.
func TestRepairCommandNamesEnvironmentAndDirectory(t *testing.T) {
	t.Parallel()
	for counts, want := range map[string]string{
		`"before": 3, "since": 1, "stays": true`: "or run posthog-sync repair NPS --env prod --question new=old --yes",
		`"stays": true`:                          "or run posthog-sync repair NPS --env prod --state DIR --question new=old --yes",
	} {
		survey := object{"name": "NPS", "questions": []any{object{"id": "new", "type": "open", "question": "Why?"}}}
		plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{{
			Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
			Change: &tfjson.Change{Actions: noOp, Before: survey, After: survey},
		}}}
		private := map[string]map[string][]byte{address: {"applied_questions": fmt.Appendf(nil, `{"written": 1, "accepted": 1, "lists": [[0], [1]], "questions": [
			{"id": "new", "type": "open", "question": "Why?", "content": "-"}, {"id": "old", "type": "open", "question": "Why?", "content": "-"}],
			"cuts": {"new": {"old": "old", %s}}}`, counts)}}
		resources, err := pull.Resources(plan, private, nil, func(string) bool { return true })
		require.NoError(t, err)

		dir := directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  name = \"NPS\"\n  questions = [{ type = \"open\", question = \"Why?\" }]\n}\n"})
		_, findings, err := pull.Edit(dir, nil, resources, "--env", "prod")
		require.NoError(t, err)
		require.Len(t, findings, 1)
		assert.Contains(t, findings[0].Reason, strings.Replace(want, "DIR", dir, 1))
	}
}

// pull does not write the ID of a question that is only possibly the same. Until you decide, the next plan and pull
// report the question.
func TestPossibleMatchIsNotWritten(t *testing.T) {
	t.Parallel()
	question := func(id, description string) any {
		return object{"id": id, "type": "open", "question": "Why?", "description": description}
	}
	const head, end = "resource \"posthog_survey\" \"s\" {\n  questions = [\n", "  ]\n}\n"
	const was = "    { type = \"open\", question = \"Why?\", description = \"about the editor\" },\n    { type = \"open\", question = \"Why?\", description = \"about the support\" },\n"
	const is = "    { type = \"open\", question = \"Why?\", description = \"about the editor window\" },\n    { type = \"open\", question = \"Why?\", description = \"about the support team\" },\n"
	applied := object{"questions": []any{question("a", "about the editor"), question("b", "about the support")}}
	after, findings := edit(t, "main.tf", head+was+end, change{
		address: address, actions: noOp, applied: applied, planned: applied,
		live: object{"questions": []any{question("x", "about the editor window"), question("y", "about the support team")}},
	})
	assert.Equal(t, head+is+end, after)
	possible := 0
	for _, finding := range findings {
		if strings.Contains(finding, "possibly detached answers") {
			possible++
		}
	}
	assert.Equal(t, 2, possible, findings)
}

// The last write has the same text under another ID, but the activity log showed that the survey had both questions
// at the same time. pull deletes the old question and adds the new one.
func TestSeparateQuestionIsNotReattached(t *testing.T) {
	t.Parallel()
	question := func(id, description string) object {
		return object{"questions": []any{object{"id": id, "type": "open", "question": "Why?", "description": description}}}
	}
	change := &tfjson.ResourceChange{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: update, Before: question("new", "b"), After: question("old", "a")},
	}
	drift := *change
	drift.Change = &tfjson.Change{Before: question("old", "a"), After: question("new", "b")}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}
	contents := [2]identity.Content{identity.HashContent(object{"description": "a"}), identity.HashContent(object{"description": "b"})}
	private := map[string]map[string][]byte{address: {"applied_questions": fmt.Appendf(nil, `{"written": 1, "accepted": 1, "lists": [[1], [0]], "questions": [
		{"id": "old", "type": "open", "question": "Why?", "content": %q}, {"id": "new", "type": "open", "question": "Why?", "content": %q}],
		"cuts": {"new": {"old": "old", "likely": true, "logged": "separate"}}}`, contents[0], contents[1])}}

	resources, err := pull.Resources(plan, private, nil, func(string) bool { return true })
	require.NoError(t, err)
	changes, findings, err := pull.Edit(directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  questions = [\n    { type = \"open\", question = \"Why?\", description = \"a\" },\n  ]\n}\n"}), nil, resources)
	require.NoError(t, err)
	for _, f := range findings {
		assert.Equal(t, code.Edited, f.Outcome, f)
	}
	require.Len(t, changes, 1)
	assert.NotContains(t, string(changes[0].After), `"old"`)
	assert.Contains(t, string(changes[0].After), `description = "b"`)
}

// A text that the state has in another Unicode form was not edited in the configuration, so pull accepts the deletion of its
// question.
func TestUnicodeFormIsNoEdit(t *testing.T) {
	t.Parallel()
	asking := func(texts ...string) object {
		questions := []any{}
		for _, text := range texts {
			questions = append(questions, object{"id": text[:1], "type": "open", "question": text})
		}
		return object{"questions": questions}
	}
	const head, end = "resource \"posthog_survey\" \"s\" {\n  questions = [\n", "  ]\n}\n"
	const composed, decomposed = "Caf\u00e9?", "Cafe\u0301?"
	after, findings := edit(t, "main.tf", head+"    { type = \"open\", question = \"Why?\" },\n    { type = \"open\", question = \""+composed+"\" },\n"+end, change{
		address: address, actions: update, applied: asking("Why?", decomposed), planned: asking("Why?", composed), live: asking("Why?"),
	})
	assert.Equal(t, head+"    { type = \"open\", question = \"Why?\" },\n"+end, after)
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0], "edited ")
}

// A save left out all IDs and replaced one question. PostHog assigned no IDs. pull reports which answers the new
// question may continue, and sets no ID.
func TestQuestionLeftWithoutIDIsReported(t *testing.T) {
	t.Parallel()
	question := func(id any, text string) any { return object{"id": id, "type": "open", "question": text} }
	applied := object{"questions": []any{question("a", "Why do you like it?"), question("b", "Else?")}}
	const head, end = "resource \"posthog_survey\" \"s\" {\n  questions = [\n", "  ]\n}\n"
	after, findings := edit(t, "main.tf", head+"    { type = \"open\", question = \"Why do you like it?\" },\n    { type = \"open\", question = \"Else?\" },\n"+end, change{
		address: address, actions: noOp, applied: applied, planned: applied,
		live: object{"questions": []any{question(nil, "How come?"), question(nil, "Else?")}},
	})
	assert.Contains(t, after, "How come?")
	assert.NotContains(t, after, `id = "a"`)
	assert.Contains(t, strings.Join(findings, "\n"),
		`"How come?": possibly detached answers of "Why do you like it?" (an unknown number of answers under the old ID a, it has no ID now); if it is the same question, set the old ID in the configuration; if it is a new question`)
}

// A save left out all IDs, a read followed, and then a teammate reworded one of the questions. The plan restores the
// ID, which needs no decision.
func TestCarriedIDIsReportedAsRestored(t *testing.T) {
	t.Parallel()
	question := func(id any, text string) object { return object{"id": id, "type": "open", "question": text} }
	asking := func(questions ...any) object { return object{"questions": questions} }
	applied, live := asking(question("a", "Why us?"), question("b", "Else?")), asking(question(nil, "How come?"), question(nil, "Else?"))
	change := &tfjson.ResourceChange{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: update, Before: live, After: applied},
	}
	drift := *change
	drift.Change = &tfjson.Change{Before: applied, After: live}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}
	content := identity.HashContent(object{})
	private := map[string]map[string][]byte{address: {"applied_questions": fmt.Appendf(nil, `{"written": 2, "accepted": 2, "lists": [[4, 3], [2, 3], [0, 1]], "questions": [
		{"id": "a", "type": "open", "question": "Why us?", "content": %[1]q}, {"id": "b", "type": "open", "question": "Else?", "content": %[1]q},
		{"type": "open", "question": "Why us?", "content": %[1]q}, {"type": "open", "question": "Else?", "content": %[1]q},
		{"type": "open", "question": "How come?", "content": %[1]q}]}`, content)}}

	resources, err := pull.Resources(plan, private, nil, func(string) bool { return true })
	require.NoError(t, err)
	_, findings, err := pull.Edit(directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  questions = [\n    { type = \"open\", question = \"Why us?\" },\n    { type = \"open\", question = \"Else?\" },\n  ]\n}\n"}), nil, resources)
	require.NoError(t, err)
	var reasons []string
	for _, f := range findings {
		reasons = append(reasons, f.Reason)
	}
	assert.Contains(t, strings.Join(reasons, "\n"), "the next apply restores the old ID")
	assert.NotContains(t, strings.Join(reasons, "\n"), "set a new ID for it")
}
