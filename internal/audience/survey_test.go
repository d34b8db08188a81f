package audience

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// now is the time at which surveys are evaluated.
var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// running returns a popover that is offered to everyone.
func running() Survey { return Survey{ID: "s", Type: "popover", Start: now.Add(-time.Hour)} }

// reasons returns the reasons for not offering a survey, as users see them.
func reasons(s Survey, p *Project, person *Person, page *Page) []string {
	texts := []string{}
	for _, f := range s.Offer(p.Evaluator(person, now), page) {
		texts = append(texts, f.Check+": "+f.Text)
	}
	return texts
}

// A reason that applies to everyone is reported once.
func TestReasonsForEverybody(t *testing.T) {
	t.Parallel()
	off, kept := newFlag(t, 1, "off", `{"groups":[{}]}`), newFlag(t, 2, "kept", `{"groups":[{}]}`)
	off.Active, kept.Active = false, false
	for name, c := range map[string]struct {
		change func(*Survey)
		want   []string
	}{
		"running":      {func(*Survey) {}, []string{}},
		"starts later": {func(s *Survey) { s.Start = now.Add(time.Hour) }, []string{}},
		"external, starts later": {func(s *Survey) { s.Start, s.Type = now.Add(time.Hour), External },
			[]string{`status: its page does not exist before its start_date, 2026-01-02T04:04:05Z: to launch it now, set start_date to the present`,
				"type: an external_survey is shown only on its own page"}},
		"api":      {func(s *Survey) { s.Type = "api" }, []string{}},
		"external": {func(s *Survey) { s.Type = External }, []string{"type: an external_survey is shown only on its own page"}},
		"draft":    {func(s *Survey) { s.Start = time.Time{} }, []string{`status: it is a draft: launch it in PostHog, or with status = "running"`}},
		"stopped":  {func(s *Survey) { s.End = now.Add(-time.Minute) }, []string{`status: it was stopped at 2026-01-02T03:03:05Z: resume it with status = "running"`}},
		"archived": {func(s *Survey) { s.IsArchived = true }, []string{"status: it is archived: set archived = false"}},
		"ends later": {func(s *Survey) { s.End = now.Add(time.Hour) }, []string{"status: it is completed, although its end_date is 2026-01-02T04:04:05Z: PostHog does not schedule stops, " +
			`so a survey with any end_date is completed; resume it with status = "running"`}},
		"linked flag": {func(s *Survey) { s.Linked = off }, []string{`linked flag: feature flag "off" is switched off: switch it on`}},
		// PostHog leaves the flags of a survey off if POST launch/ launched it.
		"launched by launch/": {func(s *Survey) { s.Internal = kept }, []string{`internal flag: PostHog's own feature flag "kept" is off although the survey is running: ` +
			"save the survey again with any change, and PostHog switches the flag on"}},
		"launched by launch/, repeating": {func(s *Survey) { s.Internal, s.Schedule = kept, "always" }, []string{}},
		"draft with its flag off":        {func(s *Survey) { s.Internal, s.Start = kept, time.Time{} }, []string{`status: it is a draft: launch it in PostHog, or with status = "running"`}},
		"variant without a flag": {func(s *Survey) { s.Conditions = `{"linkedFlagVariant":"a"}` },
			[]string{}},
		"unreadable conditions": {func(s *Survey) { s.Conditions = decode(t, `[1]`) }, []string{}},
	} {
		s := running()
		c.change(&s)
		assert.Equal(t, c.want, reasons(s, projectOf(off, kept), &Person{DistinctID: "anna"}, nil), name)
	}
}

// Each setting that can never be met is paired with a similar one that can.
func TestSettingsThatNothingMeets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ conditions, appearance, want, near string }{
		{`{"url":"/pricing","urlMatchType":"exact"}`, `null`, `conditions: urlMatchType is "exact", and no page has the URL "/pricing": use a complete URL, ` +
			`such as https://www.example.com/pricing, or set urlMatchType = "icontains"`, `{"url":"/pricing"}`},
		{`{"url":"https://example.com","urlMatchType":"exact"}`, `null`, `conditions: urlMatchType is "exact", and no page has the URL "https://example.com": use a complete URL, ` +
			`such as https://example.com/, or set urlMatchType = "icontains"`, `{"url":"https://example.com/","urlMatchType":"exact"}`},
		{`{"url":"(","urlMatchType":"regex"}`, `null`, `conditions: url "(" is not a regular expression, so it matches no page: error parsing regexp: missing closing ) in ` + "`(`",
			`{"url":"^(?!a)b","urlMatchType":"regex"}`},
		{`{"actions":{"values":[{"name":"paid","steps":[]}]}}`, `null`, `conditions: no event or action can show the survey: action "paid": it has no steps`,
			`{"actions":{"values":[{"name":"paid","steps":[{"event":"paid"}]}]}}`},
		{`{"events":{"values":[{"name":"paid","propertyFilters":{"plan":{"values":[],"operator":"exact"}}}]}}`, `null`,
			`conditions: no event or action can show the survey: event "paid": propertyFilters.plan has no values`,
			`{"events":{"values":[{"name":"paid","propertyFilters":{"plan":{"values":[],"operator":"is_not"}}}]}}`},
		{`{"events":{"values":[{"name":"paid","propertyFilters":{"plan":{"values":["1"],"operator":"gte"}}}]}}`, `null`,
			`conditions: no event or action can show the survey: event "paid": propertyFilters.plan has the unknown operator "gte"`,
			`{"events":{"values":[{"name":"paid","propertyFilters":{"plan":{"values":["1"],"operator":"gt"}}}]}}`},
		{`{}`, `{"widgetLabel":"Ideas"}`, `display: appearance.widgetType is not set, so nothing opens the widget: set it to "tab" or "selector", or to "button" if your own code opens it`, `{}`},
		{`{}`, `{"widgetType":"selector"}`, `display: appearance.widgetType is "selector", but appearance.widgetSelector is not set: set it to the CSS selector of the element that opens the survey`,
			`{}`},
	} {
		s := running()
		s.Conditions, s.Appearance = decode(t, c.conditions), decode(t, c.appearance)
		if c.appearance != "null" {
			s.Type = "widget"
		}
		assert.Equal(t, []string{c.want}, reasons(s, projectOf(), &Person{}, nil))
		s.Conditions, s.Appearance = decode(t, c.near), decode(t, `{"widgetType":"selector","widgetSelector":"#x"}`)
		assert.Empty(t, reasons(s, projectOf(), &Person{}, nil), c.near)
	}

	s := running()
	s.Conditions = `{"url":"(","urlMatchType":"not_regex"}`
	assert.Equal(t, Warning, s.Never()[0].Result, "the finding must be a warning, because the survey is shown on every page")
}

// Events and actions that apps do not detect are a warning while others are detected.
func TestIgnoredTriggers(t *testing.T) {
	t.Parallel()
	for conditions, want := range map[string]string{
		`{"actions":{"values":[{"name":"paid","steps":[]}]},"events":{"values":[{"name":"left"}]}}`: `action "paid": it has no steps`,
		`{"events":{"values":[{"name":"paid"},{"name":"paid","propertyFilters":{"plan":{"values":["pro"],"operator":"exact"}}}]}}`: `event "paid": it is listed twice, ` +
			"and posthog-js reads only the first entry",
		`{"events":{"values":[{"name":"paid"},{"name":"left"}]},"actions":{"values":[{"id":7}]}}`: "",
		`{"actions":{"values":[{"name":"paid","steps":[]}]}}`:                                     "", // Never reports it
	} {
		s := running()
		s.Conditions = decode(t, conditions)
		texts := ""
		for _, f := range s.IgnoredTriggers() {
			assert.Equal(t, Warning, f.Result)
			texts += f.Text
		}
		if want != "" {
			want = "these cannot show the survey: " + want
			assert.Empty(t, s.Never())
		}
		assert.Equal(t, want, texts, conditions)
	}
}

// A URL pattern that no browser URL can match has a suggestion, and a pattern that one can match has none.
func TestAddressLike(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/pricing": "https://www.example.com/pricing", "pricing": "https://www.example.com/pricing", "example.com/pricing": "https://example.com/pricing",
		"//example.com/a": "https://example.com/a", "https://example.com": "https://example.com/", "https://example.com?a=1": "https://example.com/?a=1",
		"https://example.com/": "", "http://localhost:3000/a#b": "", "app://screen": "", "%": "", "": "",
	} {
		assert.Equal(t, want, addressLike(text), text)
	}
}

// For each reason why a flag is off for a person, the text shows what to check.
func TestReasonsForAPerson(t *testing.T) {
	t.Parallel()
	flag := func(filters string) *Flag { return newFlag(t, 1, "f", filters) }
	deleted, devices := flag(`{"groups":[{}]}`), flag(`{"groups":[{}]}`)
	deleted.Deleted, devices.ByDevice = true, true

	const this = `targeting: the targeting does not choose this person `
	for want, f := range map[string]*Flag{
		`targeting: feature flag "f" is deleted: link another one`:                                                  deleted,
		`targeting: feature flag "f" is rolled out to 0 %: raise rollout_percentage`:                                flag(`{"groups":[{"rollout_percentage":0},{"rollout_percentage":0}]}`),
		`targeting: feature flag "f" has no condition set, so no one matches it: add a group to its filters`:        flag(`{"groups":[]}`),
		this + `(it depends on a flag that does not exist, or on itself)`:                                           flag(`{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`),
		this + `(it has no condition set, so no one matches it)`:                                                    flag(`{}`),
		this + `(this person has opted out of it: $feature_enrollment/f is set)`:                                    flag(`{"feature_enrollment":true,"groups":[{}]}`),
		this + `(it is rolled out by device, and no device ID is known)`:                                            devices,
		this + `(it is rolled out to 0.0001 %, and this person is at 75.5385 %)`:                                    flag(`{"groups":[{"rollout_percentage":0.0001}]}`),
		this + `(it applies to groups of type "company", and this person is in none)`:                               flag(`{"aggregation_group_type_index":0,"groups":[{}]}`),
		this + `(it applies to groups, and this person is in none)`:                                                 flag(`{"groups":[{"aggregation_group_type_index":7}]}`),
		this + `("plan" is "pro". Required: exact ["free"])`:                                                        flag(`{"groups":[{"properties":[{"key":"plan","value":["free"]}]}]}`),
		this + `("plan" is "pro". Required: is_not_set)`:                                                            flag(`{"groups":[{"properties":[{"key":"plan","operator":"is_not_set","value":"is_not_set"}]}]}`),
		this + `("age" is not set. Required: gt "18")`:                                                              flag(`{"groups":[{"properties":[{"key":"age","operator":"gt","value":"18"}]}]}`),
		this + `("distinct_id" is "anna". Required: exact "ben")`:                                                   flag(`{"groups":[{"properties":[{"key":"distinct_id","value":"ben"}]}]}`),
		this + `(the value of plan is not a number)`:                                                                flag(`{"groups":[{"properties":[{"key":"plan","operator":"gt","value":"18"}]}]}`),
		this + `(this person is not in cohort 3)`:                                                                   flag(`{"groups":[{"properties":[{"key":"id","type":"cohort","value":3}]}]}`),
		this + `(this person is in cohort 4)`:                                                                       flag(`{"groups":[{"properties":[{"key":"id","type":"cohort","operator":"not_in","value":4}]}]}`),
		this + `("size" of the group does not match. Required: gt "1")`:                                             flag(`{"groups":[{"properties":[{"key":"size","type":"group","group_type_index":0,"operator":"gt","value":"1"}]}]}`),
		this + `(condition 1: "plan" is "pro". Required: exact "a"; condition 2: "x" is not set. Required: is_set)`: flag(`{"groups":[{"properties":[{"key":"plan","value":"a"}]},{"properties":[{"key":"x","operator":"is_set"}]}]}`),
	} {
		p := projectOf(f)
		p.GroupTypes, p.Cohorts = []string{"company"}, map[int64]bool{3: true, 4: true}
		s := running()
		s.Targeting = f
		person := &Person{DistinctID: "anna", Properties: map[string]any{"plan": "pro", "$feature_enrollment/f": false}, Cohorts: map[int64]bool{4: true}}
		assert.Equal(t, []string{want}, reasons(s, p, person, nil), "%v", f.Filters)
	}
}

// A linked flag must be on, and have the variant that the conditions require.
func TestReasonsOfALinkedFlag(t *testing.T) {
	t.Parallel()
	variants := newFlag(t, 1, "beta", `{"groups":[{"properties":[{"key":"plan","value":"pro"}]}],"multivariate":{"variants":[{"key":"red","rollout_percentage":100},{"key":"blue","rollout_percentage":0}]}}`)
	plain := newFlag(t, 2, "plain", `{"groups":[{}]}`)
	for _, c := range []struct {
		flag          *Flag
		variant, want string
	}{
		{variants, "red", ""},
		{variants, "any", ""},
		{variants, "", ""},
		{variants, "blue", `linked flag: linkedFlagVariant is "blue", and this person gets variant "red"`},
		{variants, "green", `conditions: linkedFlagVariant is "green", but feature flag "beta" does not have this variant`},
		{plain, "red", `conditions: linkedFlagVariant is "red", but feature flag "plain" does not have this variant`},
	} {
		s := running()
		s.Linked, s.Conditions = c.flag, map[string]any{"linkedFlagVariant": c.variant}
		said := append(reasons(s, projectOf(c.flag), somebody(t, `{"plan":"pro"}`), nil), "")
		assert.Equal(t, c.want, said[0], c.variant)
	}
	s := running()
	s.Linked = variants
	assert.Equal(t, []string{`linked flag: feature flag "beta" is off for this person ("plan" is "free". Required: exact "pro")`},
		reasons(s, projectOf(variants), somebody(t, `{"plan":"free"}`), nil))
}

// Respondents who answered aren't asked again until the next iteration. A survey that repeats doesn't check its
// internal flag.
func TestInternalFlag(t *testing.T) {
	t.Parallel()
	internal := newFlag(t, 1, "f", `{"groups":[{"properties":[{"key":"$survey_responded/s/2","operator":"is_not_set","type":"person"}]}]}`)
	person := somebody(t, `{"$survey_responded/s/2":true}`)
	s := running()
	s.Iteration, s.Internal, s.Schedule = 2, internal, "once"

	for conditions, isAsked := range map[string]bool{
		`null`: false, `{"events":{"repeatedActivation":true,"values":[]}}`: false, `{"events":{"values":[{"name":"bought"}]}}`: false,
		`{"events":{"repeatedActivation":true,"values":[{"name":"bought"}]}}`: true,
	} {
		s.Conditions = decode(t, conditions)
		want := []string{"internal flag: this person has answered or dismissed it, or is within its wait period ($survey_responded/s/2 is set)"}
		if isAsked {
			want = []string{}
		}
		assert.Equal(t, want, reasons(s, projectOf(internal), person, nil), conditions)
		assert.Empty(t, reasons(s, projectOf(internal), somebody(t, `{"$survey_responded/s/1":true}`), nil))
	}
	s.Schedule, s.Conditions = "always", nil
	assert.Empty(t, reasons(s, projectOf(internal), person, nil))
}

// Conditions on the app stay undecided without a page, and are decided on a page.
func TestNeeds(t *testing.T) {
	t.Parallel()
	billing := &Page{URL: "https://app.example.com/Billing?x=1", Device: "Mobile"}
	for _, c := range []struct {
		conditions string
		page       *Page
		needs      []string
		want       []string
	}{
		{`null`, billing, []string{}, []string{}},
		{`{"url":"/billing"}`, billing, []string{`the URL contains "/billing"`}, []string{}},
		{`{"url":"/home"}`, billing, []string{`the URL contains "/home"`},
			[]string{`conditions: the URL of the visit is "https://app.example.com/Billing?x=1", but the survey is shown only when the URL contains "/home"`}},
		{`{"url":"/home","urlMatchType":"not_icontains"}`, &Page{}, []string{`the URL does not contain "/home"`},
			[]string{`conditions: the visit has no URL, but the survey is shown only when the URL does not contain "/home"`}},
		{`{"deviceTypes":["Tablet","mobile"]}`, billing, []string{"the device is one of Tablet, mobile"}, []string{}},
		{`{"deviceTypes":["Desktop"]}`, billing, []string{"the device is one of Desktop"}, []string{"conditions: the device of the visit is Mobile, but the survey is shown only when the device is one of Desktop"}},
		{`{"deviceTypes":["Mobile"],"deviceTypesMatchType":"is_not"}`, billing, []string{"the device is none of Mobile"},
			[]string{"conditions: the device of the visit is Mobile, but the survey is shown only when the device is none of Mobile"}},
		{`{"deviceTypes":[],"selector":"","actions":{"values":[]},"seenSurveyWaitPeriodInDays":-1}`, billing, []string{}, []string{}},
		{`{"seenSurveyWaitPeriodInDays":0.5}`, billing, []string{"no survey was shown for 0.5 days, this one included"}, []string{}},
		{`{"selector":"#x","events":{"values":[{"name":"paid"}]},"actions":{"values":[{"id":1,"name":"left"}]}}`, billing,
			[]string{"an element matches #x", `either one of these events was sent: "paid", or one of these actions was done: "left"`},
			[]string{`conditions: shown only when an element matches #x, and either one of these events was sent: "paid", or one of these actions was done: "left"`}},
		{`{"actions":{"values":[{"name":"left","steps":[]},{"name":"came","steps":[{"event":"x"}]}]}}`, billing, []string{`one of these actions was done: "left", "came"`},
			[]string{`conditions: shown only when one of these actions was done: "left", "came"`}},
		{`{"actions":{"values":[{"id":7},{"id":8,"name":"came"}]}}`, billing, []string{`one of these actions was done: ID 7, "came"`},
			[]string{`conditions: shown only when one of these actions was done: ID 7, "came"`}},
		{`{"events":{"values":[{"name":"paid","propertyFilters":{"plan":{"operator":"exact","values":["pro","team"]},"amount":{"operator":"gt","values":["100"]}}},{"name":"left","propertyFilters":{}}]}}`, billing,
			[]string{`one of these events was sent: "paid" with "amount" gt ["100"] and "plan" exact ["pro","team"], "left"`},
			[]string{`conditions: shown only when one of these events was sent: "paid" with "amount" gt ["100"] and "plan" exact ["pro","team"], "left"`}},
		{`{"events":{"values":[{"name":"paid","propertyFilters":[]}]}}`, billing, []string{`one of these events was sent: "paid"`},
			[]string{`conditions: shown only when one of these events was sent: "paid"`}},
		// If a check has several reasons, it reports the first one.
		{`{"url":"/home","selector":"#x"}`, &Page{}, []string{"an element matches #x", `the URL contains "/home"`},
			[]string{`conditions: the visit has no URL, but the survey is shown only when the URL contains "/home"`}},
	} {
		for _, conditions := range []any{decode(t, c.conditions), c.conditions} {
			s := running()
			s.Conditions = conditions
			assert.Equal(t, c.needs, s.Needs(), c.conditions)
			assert.Empty(t, reasons(s, projectOf(), &Person{}, nil), c.conditions)
			assert.Equal(t, c.want, reasons(s, projectOf(), &Person{}, c.page), c.conditions)
		}
	}
}

// URLs are compared like in posthog-js: patterns are JavaScript expressions, and a pattern that is invalid or takes too
// long matches nothing.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		how, url, visited string
		isMatch           bool
	}{
		{"exact", "https://x/a", "https://x/a", true},
		{"exact", "https://x/a", "https://x/A", false},
		{"is_not", "https://x/a", "https://x/A", true},
		{"icontains", "/A", "https://x/a", true},
		{"", "/A", "https://x/a", true},
		{"not_icontains", "/A", "https://x/a", false},
		{"regex", `^https://x/(?!admin)\w+$`, "https://x/home", true},
		{"regex", `^https://x/(?!admin)\w+$`, "https://x/admin", false},
		{"not_regex", "a$", "https://x/a", false},
		{"regex", "(", "https://x/(", false},
		{"not_regex", "(", "https://x/(", true},
		{"regex", `^(a+)+$`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", false},
		{"is_not", "https://x/a", "", false},
	} {
		values := scriptValues{"url": c.url}
		if c.how != "" {
			values["urlMatchType"] = c.how
		}
		assert.Equal(t, c.isMatch, values.onURL(c.visited) == isMet, "%s %q: %s", c.how, c.url, c.visited)
	}
}

// Filters are described in words.
func TestChooses(t *testing.T) {
	t.Parallel()
	for filters, want := range map[string]string{
		`{"groups":[]}`: "nobody",
		`{"groups":[{"properties":[],"rollout_percentage":100}]}`:      "everybody",
		`{"groups":[{"rollout_percentage":12.5}]}`:                     "12.5 % of people",
		`{"groups":[{"properties":[{"key":"plan","value":["pro"]}]}]}`: `people with "plan" exact ["pro"]`,
		`{"groups":[{"rollout_percentage":10,"properties":[{"key":"age","operator":"gt","value":"18"},{"key":"id","type":"cohort","value":7}]},
			{"properties":[{"key":"size","type":"group","group_type_index":0,"operator":"is_set"},{"key":"3","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`: `10 % of people with "age" gt "18" and cohort in 7, or people with "size" of their group is_set and feature flag 3 being true`,
	} {
		assert.Equal(t, want, newFlag(t, 1, "f", filters).Chooses(), filters)
	}
}
