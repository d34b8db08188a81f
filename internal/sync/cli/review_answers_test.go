package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// asked is a question, both of a survey and of its configuration.
type asked struct{ kind, text string }

// askedList parses questions written as "type:text".
func askedList(short string) []asked {
	var list []asked
	for one := range strings.FieldsSeq(short) {
		kind, text, _ := strings.Cut(one, ":")
		list = append(list, asked{kind, text})
	}
	return list
}

func (q asked) attributes() map[string]any {
	attributes := map[string]any{"type": q.kind, "question": q.text}
	switch q.kind {
	case "single_choice":
		attributes["choices"] = []any{"Yes", "No"}
	case "rating":
		attributes["display"], attributes["scale"] = "number", 10
	}
	return attributes
}

// For each question, review predicts the effect on answers that a comparison of the server's questions before and
// after an apply shows.
func TestReviewTellsWhatBecomesOfAnswers(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct{ before, after string }{
		"unchanged but for the name": {"open:a open:b", "open:a open:b"},
		"reordered":                  {"open:a open:b rating:c", "rating:c open:a open:b"},
		"inserted in front":          {"open:a open:b", "open:new open:a open:b"},
		"inserted in the middle":     {"open:a open:b", "open:a single_choice:new open:b"},
		"first deleted":              {"open:a open:b", "open:b"},
		"last deleted":               {"open:a open:b", "open:a"},
		"all but one deleted":        {"open:a open:b open:c", "open:b"},
		"text edited":                {"open:why-not open:b", "open:why-not-then open:b"},
		"retyped":                    {"open:a open:b", "single_choice:a open:b"},
		"replaced by another type":   {"open:a open:b", "open:a rating:new"},
		"same text twice":            {"open:a open:a", "open:a"},
		"edited below an insert":     {"open:a open:why-not open:c", "rating:new open:a open:why-not-then open:c"},
		"deleted with an edit":       {"open:a rating:b open:c", "open:a rating:b2"},
		"survey deleted":             {"open:a open:b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
				a := newAnsweredReview(t, profile)
				require.Empty(t, a.wrong(askedList(c.before), askedList(c.after), 12), profile)
			}
		})
	}
}

// The same is true if the survey is removed from the state but kept in PostHog, and if the configuration omits
// question IDs.
func TestReviewTellsWhatBecomesOfAnswersWithOtherSettings(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		before, after string
		settings      answeredReview
	}{
		"archived":               {"open:a open:b", "", answeredReview{policy: "archive"}},
		"abandoned":              {"open:a open:b", "", answeredReview{policy: "abandon"}},
		"empty ids, reordered":   {"open:a open:b rating:c", "rating:c open:a open:b", answeredReview{hasEmptyIDs: true}},
		"empty ids, inserted":    {"open:a open:b", "open:a single_choice:new open:b", answeredReview{hasEmptyIDs: true}},
		"empty ids, deleted":     {"open:a open:b open:c", "open:b", answeredReview{hasEmptyIDs: true}},
		"empty ids, text edited": {"open:why-not open:b", "open:why-not-then open:b", answeredReview{hasEmptyIDs: true}},
		"empty ids, retyped":     {"open:a open:b", "single_choice:a open:b", answeredReview{hasEmptyIDs: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
				a := newAnsweredReview(t, profile)
				a.policy, a.hasEmptyIDs = c.settings.policy, c.settings.hasEmptyIDs
				require.Empty(t, a.wrong(askedList(c.before), askedList(c.after), 12), profile)
			}
		})
	}
}

// The same is true for random edits.
func TestReviewTellsWhatBecomesOfAnswersAtRandom(t *testing.T) {
	t.Parallel()

	a := newAnsweredReview(t, testserver.Documented)
	questions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) asked {
		kind := rapid.SampledFrom([]string{"open", "single_choice", "rating"}).Draw(t, "type")
		return asked{kind, rapid.SampledFrom([]string{"Why?", "Why not?", "What else?", "How did you find us?", "Likely?"}).Draw(t, "text")}
	}), 1, 6)

	checks := 0
	rapid.Check(t, func(t *rapid.T) {
		if checks++; checks > sized(100) {
			return
		}
		before := questions.Draw(t, "before")
		after := edited(t, before)
		responses := rapid.Int64Range(0, 50).Draw(t, "responses")
		a.hasEmptyIDs = rapid.Bool().Draw(t, "ids are omitted")
		if wrong := a.wrong(before, after, responses); wrong != "" {
			t.Fatalf("before: %v\nafter: %v\n%s", before, after, wrong)
		}
	})
}

// edited returns questions after one to five edits. An empty list means that the survey is deleted.
func edited(t *rapid.T, before []asked) []asked {
	list := slices.Clone(before)
	for step := range rapid.IntRange(1, 5).Draw(t, "edits") {
		at := rapid.IntRange(0, max(len(list)-1, 0)).Draw(t, "at")
		edit := rapid.SampledFrom([]string{"reorder", "insert", "delete", "edit", "rewrite", "retype"}).Draw(t, "edit")
		if len(list) == 0 {
			edit = "insert"
		}

		switch edit {
		case "reorder":
			moved := list[at]
			list = slices.Delete(list, at, at+1)
			list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "to"), moved)
		case "insert":
			list = slices.Insert(list, at, asked{"open", fmt.Sprintf("New %d?", step)})
		case "delete":
			list = slices.Delete(list, at, at+1)
		case "edit":
			list[at].text += "!"
		case "rewrite":
			list[at].text = fmt.Sprintf("Rewritten %d?", step)
		case "retype":
			list[at].kind = map[string]string{"open": "rating", "rating": "single_choice", "single_choice": "open"}[list[at].kind]
		}
	}
	return list
}

// answeredReview reviews and applies changes to a survey with responses.
type answeredReview struct {
	t    *testing.T
	env  *acctest.Env
	plan string

	// policy is the deletion_policy. If hasEmptyIDs is set, each question's ID is "".
	policy      string
	hasEmptyIDs bool
}

const answeredSurvey = "0190d6a4-0000-7000-8000-000000000001"

func newAnsweredReview(t *testing.T, profile testserver.Profile) *answeredReview {
	t.Helper()
	return &answeredReview{t: t, env: acctest.Start(t, acctest.Profile(profile)), plan: filepath.Join(t.TempDir(), "plan.json")}
}

// wrong returns the line in which the page and the server differ.
func (a *answeredReview) wrong(before, after []asked, responses int64) string {
	a.t.Helper()

	survey := a.imported(before, responses)
	idsBefore := a.questionIDs()
	var plan acctest.Plan
	if len(after) == 0 {
		plan = survey.PlanDestroy()
	} else {
		plan = survey.Plan(a.configured("NPS, new name", after))
	}
	if text := plan.Diagnostics.Errors().Text(); text != "" {
		require.Equal(a.t, len(plan.Diagnostics.Errors()), strings.Count(text, ": Ambiguous question: "), text)
		return "" // the plan fails because it requires an ID, so nothing is applied
	}
	require.NoError(a.t, os.WriteFile(a.plan, survey.PlanJSON(a.t, plan), 0o600))

	code, page, stderr := commandLine(a.t, a.t.Context(), a.env.Instance, "review", a.plan)
	require.Equal(a.t, codeDone, code, stderr)
	if len(after) == 0 {
		require.Empty(a.t, survey.Destroy().Errors().Text())
	} else {
		require.Empty(a.t, survey.ApplyPlan(plan).Errors().Text())
	}
	return compareWithPage(page, idsBefore, a.questionIDs(), responses)
}

// imported returns the survey on the server, with its responses.
func (a *answeredReview) imported(questions []asked, responses int64) *acctest.Resource {
	a.t.Helper()

	stored := a.configuration("NPS", questions)
	for i, q := range stored["questions"].([]any) {
		q.(map[string]any)["id"] = fmt.Sprintf("question %d", i)
	}
	// PostHog counts answers from the start of the project's first survey.
	stored["project_id"], stored["id"], stored["start_date"] = 1, answeredSurvey, "2025-12-01T00:00:00Z"
	document, err := json.Marshal(map[string]any{
		"surveys": []any{stored}, "responses": []any{map[string]any{"survey_id": answeredSurvey, "count": responses, "at": "2025-12-24T00:00:00Z"}},
	})
	require.NoError(a.t, err)

	a.env.SetFixtures(string(document))
	survey := a.env.Resource(a.t, "posthog_survey")
	require.Empty(a.t, survey.Import("1/"+answeredSurvey).Errors().Text())
	if a.policy != "" || a.hasEmptyIDs {
		require.Empty(a.t, survey.ApplyPlan(survey.Plan(a.configured("NPS", questions))).Errors().Text())
	}
	return survey
}

// configured returns a survey's configuration.
func (a *answeredReview) configured(name string, questions []asked) map[string]any {
	configuration := a.configuration(name, questions)
	if a.policy != "" {
		configuration["deletion_policy"] = a.policy
	}
	for _, q := range configuration["questions"].([]any) {
		if a.hasEmptyIDs {
			q.(map[string]any)["id"] = ""
		}
	}
	return configuration
}

func (a *answeredReview) configuration(name string, questions []asked) map[string]any {
	list := make([]any, len(questions))
	for i, q := range questions {
		list[i] = q.attributes()
	}
	return map[string]any{"name": name, "type": "popover", "questions": list}
}

// questionIDs returns the question IDs on the server, or none if the survey was deleted.
func (a *answeredReview) questionIDs() []string {
	var ids []string
	list, _ := a.env.Survey(answeredSurvey)["questions"].([]any)
	for _, q := range list {
		ids = append(ids, q.(map[string]any)["id"].(string))
	}
	return ids
}

// pageRow matches a row on the page with a question and the effect on its answers.
var pageRow = regexp.MustCompile(`(?m)^\| (?:(new|dropped) (?:at|from) (\d+)|(?:kept|edited|moved)(?: at (\d+)|, (\d+) to (\d+))) \| .* \| (none yet|(stay attached|detached) \(survey: (\d+) responses?\)) \|$`)

// compareWithPage returns the difference between the effects on the page and the question IDs before and after. Each
// question has as many answers as the survey has responses.
func compareWithPage(page string, before, after []string, sent int64) string {
	// This comparison ignores how a question was recognized.
	page = strings.NewReplacer("attached by ID", "attached", ": check that it is still the same question", "").Replace(page)
	var described, found []string
	for _, m := range pageRow.FindAllStringSubmatch(page, -1) {
		switch {
		case m[1] == "new":
			described = append(described, fmt.Sprintf("question %s is new: %s", m[2], m[6]))
		case m[1] == "dropped":
			described = append(described, fmt.Sprintf("question %s is gone: %s", m[2], m[6]))
		case m[3] != "":
			described = append(described, fmt.Sprintf("question %s is %s: %s", m[3], m[3], m[6]))
		default:
			described = append(described, fmt.Sprintf("question %s is %s: %s", m[4], m[5], m[6]))
		}
	}

	for from, id := range before {
		if to := slices.Index(after, id); to < 0 {
			found = append(found, fmt.Sprintf("question %d is gone: detached (survey: %s)", from, responses.Count(sent, "response")))
		} else {
			found = append(found, fmt.Sprintf("question %d is %d: stay attached (survey: %s)", from, to, responses.Count(sent, "response")))
		}
	}
	for to, id := range after {
		if !slices.Contains(before, id) {
			found = append(found, "question "+strconv.Itoa(to)+" is new: none yet")
		}
	}

	slices.Sort(described)
	slices.Sort(found)
	warned := strings.Contains(page, "Answers are detached")
	isDetached := sent > 0 && slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, ": detached") })
	if slices.Equal(described, found) && warned == isDetached {
		return ""
	}
	return fmt.Sprintf("the page says %q (warning: %t), the server has %q\n%s", described, warned, found, page)
}
