package doctor_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

// Each thing that keeps a survey from one person is found, and next to it nothing is.
func TestWhyOnePersonIsNotShown(t *testing.T) {
	t.Parallel()
	const (
		linked    = `"linked_flag": {"id": 1, "key": "beta"}`
		targeting = `"targeting_flag": {"id": 2, "key": "target"}`
		internal  = `"internal_targeting_flag": {"id": 3, "key": "internal"}`
	)
	visit := doctor.Visit{URL: "https://app.example.com/Billing?x=1", Device: "Mobile", Flags: map[string]doctor.Flag{
		"beta": {IsOn: true, Variant: "a"}, "target": {IsOn: true}, "internal": {IsOn: true},
	}}
	without := func(key string) doctor.Visit {
		flags := map[string]doctor.Flag{}
		for k, flag := range visit.Flags {
			if k != key {
				flags[k] = flag
			}
		}
		return doctor.Visit{URL: visit.URL, Device: visit.Device, Flags: flags}
	}

	for name, c := range map[string]struct {
		text  string
		visit doctor.Visit
		codes []doctor.Code
	}{
		"everything is on":        {linked + "," + targeting + "," + internal, visit, nil},
		"no flag":                 {`"name": "x"`, doctor.Visit{}, nil},
		"linked flag is off":      {linked, without("beta"), []doctor.Code{doctor.VisitFlagOff}},
		"not targeted":            {targeting, without("target"), []doctor.Code{doctor.VisitNotTargeted}},
		"answered":                {internal, without("internal"), []doctor.Code{doctor.VisitSeen}},
		"answered, always":        {internal + `, "schedule": "always"`, without("internal"), nil},
		"answered, once":          {internal + `, "schedule": "once"`, without("internal"), []doctor.Code{doctor.VisitSeen}},
		"answered, by each event": {internal + `, "conditions": {"events": {"repeatedActivation": true, "values": [{"name": "paid"}]}}`, without("internal"), []doctor.Code{doctor.VisitWaits}},
		"answered, by no event":   {internal + `, "conditions": {"events": {"repeatedActivation": true, "values": []}}`, without("internal"), []doctor.Code{doctor.VisitSeen}},
		"variant":                 {linked + `, "conditions": {"linkedFlagVariant": "a"}`, visit, nil},
		"any variant":             {linked + `, "conditions": {"linkedFlagVariant": "any"}`, visit, nil},
		"other variant":           {linked + `, "conditions": {"linkedFlagVariant": "b"}`, visit, []doctor.Code{doctor.VisitOtherVariant}},
		"address":                 {`"conditions": {"url": "/billing"}`, visit, nil},
		"other address":           {`"conditions": {"url": "/home"}`, visit, []doctor.Code{doctor.VisitOtherURL}},
		"no address":              {`"conditions": {"url": "/home", "urlMatchType": "not_icontains"}`, doctor.Visit{}, []doctor.Code{doctor.VisitOtherURL}},
		"device":                  {`"conditions": {"deviceTypes": ["Tablet", "mobile"]}`, visit, nil},
		"other device":            {`"conditions": {"deviceTypes": ["Desktop"]}`, visit, []doctor.Code{doctor.VisitOtherDevice}},
		"not that device":         {`"conditions": {"deviceTypes": ["Mobile"], "deviceTypesMatchType": "is_not"}`, visit, []doctor.Code{doctor.VisitOtherDevice}},
		"any device":              {`"conditions": {"deviceTypes": []}`, visit, nil},
		"selector":                {`"conditions": {"selector": "#x"}`, visit, []doctor.Code{doctor.VisitWaits}},
		"action":                  {`"conditions": {"actions": {"values": [{"id": 1, "name": "paid"}]}}`, visit, []doctor.Code{doctor.VisitWaits}},
		"no action":               {`"conditions": {"actions": {"values": []}, "selector": ""}`, visit, nil},
		"as text":                 {`"conditions": "{\"url\": \"/home\"}"`, visit, []doctor.Code{doctor.VisitOtherURL}},
		"unreadable":              {`"conditions": [1]`, visit, []doctor.Code{doctor.ConditionsUnreadable}},
		"several": {linked + "," + targeting + `, "conditions": {"url": "/home", "selector": "#x"}`, doctor.Visit{URL: "x"},
			[]doctor.Code{doctor.VisitFlagOff, doctor.VisitNotTargeted, doctor.VisitOtherURL, doctor.VisitWaits}},
	} {
		var codes []doctor.Code
		for _, finding := range doctor.CheckVisit(surveyOf(t, "{"+c.text+"}"), c.visit) {
			codes = append(codes, finding.Code)
		}
		assert.Equal(t, c.codes, codes, name)
	}
}

// Addresses are compared as posthog-js compares them: patterns are those of JavaScript, and
// one that is invalid, or takes too long, matches nothing.
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
	} {
		survey := surveyOf(t, `{}`)
		survey.Conditions.Set([]byte(`{"url": ` + quote(c.url) + `, "urlMatchType": ` + quote(c.how) + `}`))
		findings := doctor.CheckVisit(survey, doctor.Visit{URL: c.visited})
		assert.Equal(t, c.isMatch, len(findings) == 0, "%s %q: %s", c.how, c.url, c.visited)
	}
}

// quote is a text as JSON.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has no value that JSON lacks
	}
	return string(quoted)
}
