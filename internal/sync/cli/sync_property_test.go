package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

type fields = map[string]any

// maybe sets a field in about half of the objects.
func maybe[T any](t *rapid.T, of fields, name string, values *rapid.Generator[T]) {
	if rapid.Bool().Draw(t, "has "+name) {
		of[name] = values.Draw(t, name)
	}
}

// randomSurvey generates a valid create request. Its flags and actions have IDs from the source project.
func randomSurvey(name string, flags []int, actions []int) *rapid.Generator[fields] {
	return rapid.Custom(func(t *rapid.T) fields {
		text := rapid.SampledFrom([]string{"", "Why?", " Ünïcode ", "a & b", "<b>bold</b><script>x</script>"})
		s := fields{"name": name, "type": rapid.SampledFrom([]string{"popover", "widget", "api"}).Draw(t, "type")}
		maybe(t, s, "description", text)
		maybe(t, s, "archived", rapid.Bool())
		maybe(t, s, "linked_flag_id", rapid.SampledFrom(flags))
		maybe(t, s, "responses_limit", rapid.IntRange(1, 100))
		maybe(t, s, "start_date", rapid.SampledFrom([]string{"2025-01-01T00:00:00Z", "2025-06-01T12:00:00+02:00"}))
		maybe(t, s, "end_date", rapid.SampledFrom([]string{"2025-12-01T00:00:00Z"}))

		conditions := fields{}
		maybe(t, conditions, "url", rapid.SampledFrom([]string{"https://example.com", "x"}))
		maybe(t, conditions, "seenSurveyWaitPeriodInDays", rapid.IntRange(1, 30))
		if rapid.Bool().Draw(t, "has actions") {
			conditions["actions"] = fields{"values": []any{fields{"id": rapid.SampledFrom(actions).Draw(t, "action"), "name": "signed up"}}}
		}
		if len(conditions) > 0 {
			s["conditions"] = conditions
		}

		appearance := fields{}
		maybe(t, appearance, "position", rapid.SampledFrom([]string{"left", "right"}))
		maybe(t, appearance, "thankYouMessageHeader", text)
		maybe(t, appearance, "displayThankYouMessage", rapid.Bool())
		maybe(t, s, "appearance", rapid.Just(appearance))
		maybe(t, s, "questions", rapid.SliceOfN(randomQuestion(), 0, 4))
		return s
	})
}

func randomQuestion() *rapid.Generator[fields] {
	return rapid.Custom(func(t *rapid.T) fields {
		q := fields{
			"type":     rapid.SampledFrom([]string{"open", "rating", "single_choice", "link"}).Draw(t, "type"),
			"question": rapid.SampledFrom([]string{"Why?", "How likely are you?", "How likely were you?", "What else?", "Which?"}).Draw(t, "question"),
		}

		maybe(t, q, "description", rapid.SampledFrom([]string{"", "Please", "<i>Please</i>"}))
		maybe(t, q, "optional", rapid.Bool())
		maybe(t, q, "buttonText", rapid.SampledFrom([]string{"Next", "Done"}))
		maybe(t, q, "branching", rapid.SampledFrom([]fields{{"type": "next_question"}, {"type": "end"}, {"type": "specific_question", "index": 0}}))
		maybe(t, q, "translations", rapid.SampledFrom([]fields{{}, {"de": fields{"question": "Warum?"}}, {"de": fields{"question": "Wieso?"}}}))
		maybe(t, q, "ofANewerService", rapid.SampledFrom([]any{nil, 1.50, []any{}, fields{"a": []any{"b"}}}))

		switch q["type"] {
		case "rating":
			q["display"], q["scale"] = "number", rapid.SampledFrom([]int{5, 7, 10}).Draw(t, "scale")
		case "single_choice":
			q["choices"] = rapid.SampledFrom([][]string{{"A", "B"}, {"A", "B", "C"}, {"B", "A"}}).Draw(t, "choices")
			if rapid.Bool().Draw(t, "branches by response") {
				q["branching"] = fields{"type": "response_based", "responseValues": fields{"0": "end", "1": 0}}
			}
		case "link":
			q["link"] = "https://example.com"
		}
		return q
	})
}

// hostedFields adds the fields that exist only in the hosted profile.
func hostedFields(t *rapid.T, s fields) {
	maybe(t, s, "enable_partial_responses", rapid.Bool())
	maybe(t, s, "base_language", rapid.SampledFrom([]string{"en", "fr"}))
	maybe(t, s, "translations", rapid.SampledFrom([]fields{{}, {"de": fields{"thankYouMessageHeader": "Danke"}}, {"es": fields{"name": "Hola"}}}))
	switch rapid.IntRange(0, 3).Draw(t, "schedule") {
	case 0:
		s["schedule"] = "always"
	case 1:
		s["schedule"], s["iteration_count"], s["iteration_frequency_days"] = "recurring", 3, rapid.IntRange(1, 30).Draw(t, "days")
	}
	if rapid.Bool().Draw(t, "has targeting") {
		s["targeting_flag_filters"] = fields{"groups": []any{fields{
			"variant": "", "rollout_percentage": rapid.SampledFrom([]int{10, 50}).Draw(t, "rollout"),
			"properties": []any{fields{"key": "email", "type": "person", "operator": "icontains", "value": "@example.com"}},
		}}}
	}
	questions, _ := s["questions"].([]fields)
	for i, q := range questions {
		if rapid.Bool().Draw(t, "has id") {
			q["id"] = fmt.Sprintf("0190d6a4-1111-7000-8000-%012d", i+10*rapid.IntRange(0, 1).Draw(t, "id"))
		}
	}
}

func randomApp(name string) *rapid.Generator[fields] {
	return rapid.Custom(func(t *rapid.T) fields {
		app := fields{"name": name, "plugin_type": "source", "capabilities": fields{"scheduled_tasks": []any{"runEveryMinute"}}}
		maybe(t, app, "description", rapid.SampledFrom([]string{"", "Adds places", "Adds cities"}))
		maybe(t, app, "icon", rapid.SampledFrom([]string{"a.png", "b.png"}))
		maybe(t, app, "config_schema", rapid.SampledFrom([]fields{{}, {"key": fields{"type": "string"}}, {"key": fields{"type": "string"}, "other": fields{"type": "attachment"}}}))
		maybe(t, app, "public_jobs", rapid.SampledFrom([]fields{{}, {"export": fields{"payload": fields{}}}}))
		return app
	})
}

// fill replaces the content of both sources with random objects.
func (s *twoSides) fill(t *rapid.T, profile testserver.Profile) {
	s.t.Helper()
	s.a.SetFixtures(fixturesOfA)
	s.b.SetFixtures(fixturesOfB)

	for _, source := range []struct {
		srv            *testserver.Instance
		flags, actions []int
	}{{s.a, []int{1, 2}, []int{4}}, {s.b, []int{11, 12, 13}, []int{14}}} {
		for _, name := range []string{"NPS", "Exit", "Spring", "Autumn"} {
			if !rapid.Bool().Draw(t, "has "+name) {
				continue
			}
			survey := randomSurvey(name, source.flags, source.actions).Draw(t, name)
			if profile == testserver.Hosted {
				hostedFields(t, survey)
			}
			postSurvey(s.t, source.srv, survey)
		}

		for _, name := range []string{"GeoIP", "Stripe"} {
			if rapid.Bool().Draw(t, "has "+name) {
				postApp(s.t, source.srv, randomApp(name).Draw(t, name))
			}
		}
	}

	if profile == testserver.Documented {
		// This profile does not list flags, so sync finds them in the surveys that use them.
		postSurvey(s.t, s.b, fields{"name": "Beta", "type": "popover", "linked_flag_id": 11})
		postSurvey(s.t, s.b, fields{"name": "Gamma", "type": "popover", "linked_flag_id": 12})
	}

	s.a.ResetJournal()
	s.b.ResetJournal()
}

// After a sync, the sources differ only in the values that the report lists as left. The planned actions equal the
// executed actions and the rehearsed actions, and a second run sends only reads.
func TestSyncOfRandomSides(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			s := newTwoSides(t, profile)
			rapid.Check(t, func(rt *rapid.T) {
				s.fill(rt, profile)
				flags := []string{"--map-action", "signed up=14"}
				if rapid.Bool().Draw(rt, "keeps schedule") {
					flags = append(flags, "--keep-schedule")
				}
				if rapid.Bool().Draw(rt, "deletes") {
					flags = append(flags, "--allow-delete=with-responses", "--max-deletes", "100")
				}

				planned := s.planned(flags...)
				rehearsed := s.sync(codeOf(len(planned.Actions)), append([]string{"--rehearse"}, flags...)...)
				s.requireOnlyReads()
				done := s.sync(codeDone, append([]string{"--yes"}, flags...)...)
				require.Equal(t, inWords(planned), inWords(done))
				require.Equal(t, inWords(planned), inWords(rehearsed))
				require.Equal(t, len(planned.Actions), done.count(reconcile.Done))

				s.requireOnlyLeftDiffers(done)
				s.b.ResetJournal()
				again := s.sync(codeDone, append([]string{"--yes"}, flags...)...)
				require.Empty(t, again.Actions)
				s.requireOnlyReads()
			})
		})
	}
}

// planned returns the actions that a dry run lists.
func (s *twoSides) planned(flags ...string) syncReport {
	s.t.Helper()
	code, stdout, stderr := s.run(append([]string{"sync", "live:a", "live:b", "--format", "json", "--dry-run"}, flags...)...)
	require.Contains(s.t, []int{codeDone, codeDifferences}, code, stderr)
	report := syncReportOf(s.t, stdout)
	require.Equal(s.t, codeOf(len(report.Actions)), code)
	return report
}

func codeOf(actions int) int {
	if actions > 0 {
		return codeDifferences
	}
	return codeDone
}

// inWords returns a report's actions as text, without their outcomes.
func inWords(r syncReport) []string {
	var lines []string
	for _, action := range r.Actions {
		line := fmt.Sprintf("%s %s %q of %s", action.Verb, action.Kind, action.Name, action.Seen)
		for _, change := range action.Changes {
			line += fmt.Sprintf("\n%s: %s -> %s", change.Path, excerpt.Of(change.Before), excerpt.Of(change.After))
		}
		lines = append(lines, line)
	}
	return lines
}

// requireOnlyLeftDiffers fails if a and b differ in values that the report does not list as left.
func (s *twoSides) requireOnlyLeftDiffers(done syncReport) {
	s.t.Helper()
	left := map[string][]string{}
	add := func(kind, name string, attributes []reconcile.Attribute) {
		key := kind + " " + name
		left[key] = append(left[key], "")
		for _, attribute := range attributes {
			left[key] = append(left[key], attribute.Path)
		}
	}
	for _, action := range done.Actions {
		if action.Outcome == reconcile.Refused || len(action.Remaining) > 0 {
			add(string(action.Kind), action.Name, action.Remaining)
		}
	}
	for _, object := range done.Skipped {
		add(string(object.Kind), object.Name, object.Attributes)
	}

	for _, object := range s.diff().Objects {
		reported := left[string(object.Kind)+" "+object.Name]
		require.NotEmpty(s.t, reported, "%s %q: %v", object.Change, object.Name, object.Attributes)
		assert.NotEqual(s.t, reconcile.Missing, object.Change)
		for _, attribute := range object.Attributes {
			assert.True(s.t, slices.Contains(reported, attribute.Path), "%s of %q differs, but only %s was reported", attribute.Path, object.Name, strings.Join(reported, " "))
		}
	}
}
