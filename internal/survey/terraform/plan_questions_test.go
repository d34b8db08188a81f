package terraform_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A list with an unknown element is planned unchanged: nothing is matched, and the known parts of other elements
// are kept. Terraform refuses any other plan.
func TestPartlyUnknownQuestionsArePlannedAsTheyAre(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(asking(open(nil), open(object{"question": "And why?"}))).Errors().Text())

	plan := survey.Plan(asking(open(nil), tftypes.UnknownValue, open(object{"question": "And why?", "description": tftypes.UnknownValue})))
	assert.Empty(t, plan.Diagnostics.Errors().Text())
	questions, ok := plan.Attribute(t, "questions").([]any)
	require.True(t, ok)
	require.Len(t, questions, 3)
	assert.Equal(t, "Why?", questions[0].(map[string]any)["question"])
	assert.Equal(t, tftypes.UnknownValue, questions[1])
	assert.Equal(t, "And why?", questions[2].(map[string]any)["question"])
	assert.Equal(t, tftypes.UnknownValue, questions[2].(map[string]any)["description"])
}

// A question may turn out to be null after terraform validate, when its dependencies are known. The plan refuses it
// for new and existing surveys.
func TestNullQuestionIsRefusedInAPlan(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	config := asking(open(nil), nil)
	assertLocated(t, "questions[1]", survey.Plan(config).Diagnostics)

	require.Empty(t, survey.Apply(asking(open(nil))).Errors().Text())
	assertLocated(t, "questions[1]", survey.Plan(config).Diagnostics)
}

// After rounds of moving, editing, deleting, and adding questions, each existing question has both its ID and its
// undocumented keys, or neither is left on the server.
func TestQuestionsTakeAlongWhatIsTheirs(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)

	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}

		var config, stored []any
		for i := range rapid.IntRange(1, 5).Draw(r, "questions") {
			q := object{"type": rapid.SampledFrom([]string{"open", "link"}).Draw(r, "type"), "question": text(i)}
			config = append(config, q)
			id := fmt.Sprint("question ", i)
			stored = append(stored, merged(q, object{"id": id, "belongsTo": id, "branching": object{"type": "end", "since": 1}}))
		}

		env.SetFixtures(encoded(r, object{"surveys": []any{object{"id": surveyID, "project_id": "1", "name": "Quiet", "type": "popover", "questions": stored}}}))
		survey := env.Resource(t, "posthog_survey")
		if found := survey.Import("1/" + surveyID); found.HasError() {
			r.Fatal(found.Text())
		}

		for round := range rapid.IntRange(1, 2).Draw(r, "rounds") {
			config = shuffled(r, config, firstFresh+round)
			if applied := survey.Apply(asking(config...)); applied.HasError() {
				r.Fatal(applied.Text())
			}
			wantTogether(r, config, env.Survey(surveyID)["questions"].([]any))
			wantEmpty(r, survey, asking(config...))
		}
	})
}

// firstFresh is the number of the first added question.
const firstFresh = 10

// text returns a question's text in letters that no other question has.
func text(number int) string { return strings.Repeat(string(rune('一'+number)), 4) }

// shuffled returns questions of which some were edited, moved, or deleted, and one was added.
func shuffled(r *rapid.T, config []any, fresh int) []any {
	out := make([]any, 0, len(config)+1)
	for _, one := range rapid.Permutation(config).Draw(r, "order") {
		switch rapid.IntRange(0, 5).Draw(r, "edit") {
		case 0:
			continue
		case 1:
			one = merged(one.(object), object{"button_text": "Go"})
		}
		out = append(out, one)
	}
	if rapid.Bool().Draw(r, "insert?") {
		q := object{"type": "open", "question": text(fresh)}
		out = slices.Insert(out, rapid.IntRange(0, len(out)).Draw(r, "at"), any(q))
	}
	return out
}

// wantTogether asserts that each configured question is stored with a new ID or its own, and that its own ID comes
// with its undocumented keys.
func wantTogether(r *rapid.T, config, stored []any) {
	if len(stored) != len(config) {
		r.Fatalf("PostHog has %d questions, want the %d configured ones", len(stored), len(config))
	}

	seen := map[any]bool{}
	for i, one := range stored {
		q, configured := one.(object), config[i].(object)
		if q["question"] != configured["question"] || q["id"] == nil || seen[q["id"]] {
			r.Fatalf("question %d is stored as %s", i, encoded(r, q))
		}

		seen[q["id"]] = true

		isOld := strings.HasPrefix(q["id"].(string), "question ")
		if isOld != (q["belongsTo"] == q["id"]) || isOld != (q["branching"] != nil) {
			r.Fatalf("question %d has the ID of one question and the keys of another: %s", i, encoded(r, q))
		}

		for number := range firstFresh {
			if q["question"] == text(number) && q["id"] != fmt.Sprint("question ", number) {
				r.Fatalf("question %d is unchanged, but has another ID: %s", i, encoded(r, q))
			}
		}
	}
}
