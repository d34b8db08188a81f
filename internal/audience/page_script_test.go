package audience

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// throwing are conditions that make posthog-js throw, with the finding for each and the pages on which it throws.
var throwing = map[string]struct {
	says         string
	isEverywhere bool
}{
	`{"url":"/a","urlMatchType":"contains"}`:                       {`urlMatchType is "contains". Known values: regex, not_regex, exact, is_not, icontains, not_icontains. posthog-js throws an error for any other value`, true},
	`{"url":"/a","urlMatchType":""}`:                               {`urlMatchType is "". Known values`, true},
	`{"url":5}`:                                                    {"url is 5, not a text. posthog-js throws an error, and then shows no survey of the project", true},
	`{"url":["/a"],"urlMatchType":"not_icontains"}`:                {`url is ["/a"], not a text`, true},
	`{"deviceTypes":["Mobile"],"deviceTypesMatchType":"contains"}`: {`deviceTypesMatchType is "contains". Known values`, true},
	`{"deviceTypes":"Mobile"}`:                                     {`deviceTypes is "Mobile", not a list of texts`, true},
	`{"deviceTypes":[5]}`:                                          {"deviceTypes is [5], not a list of texts", true},
	`{"deviceTypes":{"a":1},"deviceTypesMatchType":"exact"}`:       {`deviceTypes is {"a":1}, not a list`, true},
	`{"selector":"##"}`:                                            {`selector is "##", which is not a CSS selector: "#" is not allowed there. posthog-js throws an error`, true},
	`{"selector":5}`:                                               {`selector is "5", which is not a CSS selector`, true},
	`{"selector":{"a":1}}`:                                         {`selector is "[object Object]", which is not a CSS selector`, true},
	`{"url":"/a","selector":"#1st"}`:                               {`selector is "#1st", which is not a CSS selector`, false},
	`{"url":"/a","deviceTypes":"Mobile"}`:                          {"deviceTypes is", false},
	`{"deviceTypes":["Mobile"],"selector":"a:eq(1)"}`:              {"selector", false},
}

// quiet are unusual conditions that don't make posthog-js throw.
var quiet = []string{
	`{}`, `null`, `[]`, `"x"`, `{"urlMatchType":"contains"}`, `{"url":"","urlMatchType":"contains"}`, `{"url":0}`, `{"url":false}`, `{"url":null,"urlMatchType":"x"}`, `{"url":5,"urlMatchType":"exact"}`, `{"url":5,"urlMatchType":"regex"}`,
	`{"url":"/a","urlMatchType":"gt"}`, `{"url":"/a","urlMatchType":["exact"]}`, `{"deviceTypes":[],"deviceTypesMatchType":"x"}`, `{"deviceTypes":[5],"deviceTypesMatchType":"exact"}`, `{"deviceTypes":"Mobile","deviceTypesMatchType":"gt"}`,
	`{"selector":"#a"}`, `{"selector":true}`, `{"selector":["#a",".b"]}`, `{"selector":""}`,
}

func runningSurvey(conditions string) *Survey {
	return &Survey{ID: "s", Type: "popover", Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Conditions: conditions}
}

func TestSurveyThatHidesAllSurveys(t *testing.T) {
	t.Parallel()
	e := (&Project{}).Evaluator(&Person{DistinctID: "p"}, time.Now())
	matching := &Page{URL: "https://x/a", Device: "Mobile"}
	for conditions, want := range throwing {
		s := runningSurvey(conditions)
		found := s.checkHiding()
		require.Len(t, found, 1, conditions)
		assert.Equal(t, Failed, found[0].Result)
		assert.Equal(t, "conditions", found[0].Check)
		assert.Contains(t, found[0].Text, want.says)
		assert.Contains(t, s.Checks(time.Now()), found[0], "doctor must report it")

		why, isCertain := s.HidesAllSurveys(e, nil)
		assert.Equal(t, found[0].Text, why)
		assert.Equal(t, want.isEverywhere, isCertain, conditions)
		why, _ = s.HidesAllSurveys(e, matching)
		assert.Equal(t, found[0].Text, why, conditions)
		why, isCertain = s.HidesAllSurveys(e, &Page{URL: "https://x/b", Device: "Desktop"})
		assert.True(t, isCertain)
		assert.Equal(t, want.isEverywhere, why != "", "%s: %s", conditions, why)

		assert.Empty(t, (&Survey{Type: External, Conditions: conditions}).HidesAll(), "an external survey has its own page, so it must ignore conditions")
	}
	for _, conditions := range quiet {
		assert.Empty(t, runningSurvey(conditions).HidesAll(), conditions)
		why, isCertain := runningSurvey(conditions).HidesAllSurveys(e, matching)
		assert.Empty(t, why, conditions)
		assert.True(t, isCertain)
	}
}

// posthog-js evaluates the conditions only for respondents to whom the survey is offered.
func TestWhomASurveyHidesAllFrom(t *testing.T) {
	t.Parallel()
	e := (&Project{}).Evaluator(&Person{DistinctID: "p"}, time.Now())
	const nobody, everybody = `{"groups":[]}`, `{"groups":[{"properties":[],"rollout_percentage":100}]}`
	for name, c := range map[string]struct {
		change func(*Survey)
		hides  bool
	}{
		"draft":              {func(s *Survey) { s.Start = time.Time{} }, false},
		"stopped":            {func(s *Survey) { s.End = s.Start }, false},
		"archived":           {func(s *Survey) { s.IsArchived = true }, false},
		"widget":             {func(s *Survey) { s.Type = "widget" }, true},
		"api":                {func(s *Survey) { s.Type = "api" }, true},
		"for nobody":         {func(s *Survey) { s.Targeting = newFlag(t, 1, "f", nobody) }, false},
		"for everybody":      {func(s *Survey) { s.Linked = newFlag(t, 1, "f", everybody) }, true},
		"internal flag off":  {func(s *Survey) { s.Internal = NewFlag(Definition{ID: 1, Key: "i"}) }, false},
		"which is not asked": {func(s *Survey) { s.Internal, s.Schedule = NewFlag(Definition{ID: 1, Key: "i"}), "always" }, true},
	} {
		s := runningSurvey(`{"selector":"##"}`)
		c.change(s)
		why, isCertain := s.HidesAllSurveys(e, nil)
		assert.Equal(t, c.hides, why != "", name)
		assert.True(t, isCertain, name)
	}
}

func TestWidgetThatHidesSurveys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, appearance, says string }{
		{"widget", `{"widgetType":"selector","widgetSelector":".a]"}`, `widgetSelector is ".a]", which is not a CSS selector: "]" is not allowed there. posthog-js throws an error, and shows no survey after this one`},
		{"popover", `{"position":"next_to_trigger","widgetSelector":"#1"}`, "posthog-js throws an error"},
		{"widget", `{"widgetType":"tab","widgetSelector":".a]"}`, ""},
		{"popover", `{"position":"left","widgetSelector":".a]"}`, ""},
		{"widget", `{"widgetType":"selector","widgetSelector":".a"}`, ""},
		{"widget", `{"widgetType":"selector"}`, ""},
		{"api", `{"widgetType":"selector","widgetSelector":".a]"}`, ""},
	} {
		s := &Survey{Type: c.kind, Appearance: c.appearance, Start: time.Now()}
		found := s.checkHiding()
		if c.says == "" {
			assert.Empty(t, found, c.appearance)
			continue
		}
		require.Len(t, found, 1, c.appearance)
		assert.Equal(t, "display", found[0].Check)
		assert.Contains(t, found[0].Text, c.says)
		why, _ := s.HidesAllSurveys((&Project{}).Evaluator(&Person{}, time.Now()), nil)
		assert.Empty(t, why, "a survey must not hide the surveys that come before it")
	}
}
