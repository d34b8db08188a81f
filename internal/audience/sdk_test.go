package audience_test

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// uses are surveys that use a feature, and similar surveys that don't.
var uses = map[string][2]string{
	"conditions.urlMatchType":                                           {`{"conditions": {"url": "/x", "urlMatchType": "exact"}}`, `{"conditions": {"url": "/x", "urlMatchType": "icontains"}}`},
	"conditions.deviceTypes":                                            {`{"conditions": {"deviceTypes": ["Mobile"]}}`, `{"conditions": {"deviceTypes": []}}`},
	"conditions.seenSurveyWaitPeriodInDays":                             {`{"conditions": {"seenSurveyWaitPeriodInDays": 7}}`, `{"conditions": {"seenSurveyWaitPeriodInDays": 0}}`},
	"conditions.linkedFlagVariant":                                      {`{"conditions": {"linkedFlagVariant": "any"}}`, `{"conditions": {"linkedFlagVariant": ""}}`},
	"conditions.events.values[*].propertyFilters":                       {filter("exact"), `{"conditions": {"events": {"values": [{"name": "a", "propertyFilters": {}}]}}}`},
	"conditions.events.values[*].propertyFilters.*.operator = gt or lt": {filter("gt"), filter("exact")},
	"conditions.cancelEvents":                                           {`{"conditions": {"cancelEvents": {"values": [{"name": "a"}]}}}`, `{"conditions": {"cancelEvents": {"values": []}}}`},
	"conditions.actions":                                                {`{"conditions": {"actions": {"values": [{"id": 1}]}}}`, `{"conditions": {"actions": {"values": []}}}`},
	`schedule = "always"`:                                               {`{"schedule": "always"}`, `{"schedule": "recurring"}`},
	"enable_partial_responses":                                          {`{"enable_partial_responses": true, "questions": [{}, {}]}`, `{"enable_partial_responses": true, "questions": [{}]}`},
	`type = "external_survey"`:                                          {`{"type": "external_survey"}`, `{"type": "popover"}`},
	"translations":                                                      {`{"questions": [{"translations": {"de": {}}}]}`, `{"translations": {}, "questions": [{"translations": null}]}`},
	"questions[*].branching":                                            {`{"questions": [{"branching": {"type": "end"}}]}`, `{"questions": [{"branching": null}]}`},
	"questions[*].optional with branching by the rating":                {rating(`"optional": true`), rating(`"optional": false`)},
	"questions[*].skip_submit_button":                                   {`{"questions": [{}, {"skip_submit_button": true}]}`, `{"questions": [{"skip_submit_button": false}]}`},
	"questions[*].scale = 2":                                            {`{"questions": [{"type": "rating", "scale": 2}]}`, `{"questions": [{"type": "rating", "scale": 3}]}`},
	"questions[*].shuffle_options":                                      {`{"questions": [{"shuffle_options": true}]}`, `{"questions": [{"shuffle_options": false}]}`},
	"questions[*].validation":                                           {`{"questions": [{"validation": [{"type": "min_length"}]}]}`, `{"questions": [{"validation": []}]}`},
	"appearance.position":                                               {`{"appearance": {"position": "left"}}`, `{"appearance": {"position": "bottom-right"}}`},
	`appearance.position = "next_to_trigger", appearance.tabPosition other than right`: {`{"appearance": {"tabPosition": "left"}}`, `{"appearance": {"tabPosition": "right"}}`},
	"appearance.fontFamily":                                           {`{"appearance": {"fontFamily": "serif"}}`, `{"appearance": {"fontFamily": "inherit"}}`},
	"appearance.inputBackground, appearance.inputTextColor":           {`{"appearance": {"inputTextColor": "red"}}`, `{"appearance": {"inputTextColor": "", "inputBackground": "white"}}`},
	"appearance.textColor, appearance.submitButtonTextColor":          {`{"appearance": {"textColor": "red"}}`, `{"appearance": {"textColor": null, "submitButtonTextColor": "white"}}`},
	"appearance.shuffleQuestions":                                     {`{"appearance": {"shuffleQuestions": true}}`, `{"appearance": {"shuffleQuestions": true}, "questions": [{"branching": {"type": "end"}}]}`},
	"appearance.shuffleQuestions with branching or partial responses": {`{"appearance": {"shuffleQuestions": true}, "enable_partial_responses": true}`, `{"appearance": {"shuffleQuestions": true}}`},
	"appearance.surveyPopupDelaySeconds":                              {`{"appearance": {"surveyPopupDelaySeconds": 3}}`, `{"appearance": {"surveyPopupDelaySeconds": 0}}`},
	"appearance.displayIntroScreen":                                   {`{"appearance": {"displayIntroScreen": true}}`, `{"appearance": {"displayIntroScreen": false}}`},
	"appearance.hideCancelButton":                                     {`{"appearance": {"hideCancelButton": true}}`, `{"appearance": {"hideCancelButton": false}}`},
	"appearance.allowGoBack":                                          {`{"appearance": {"allowGoBack": true}}`, `{"appearance": {"allowGoBack": false}}`},
	"appearance.disableAutofocus":                                     {`{"appearance": {"disableAutofocus": true}}`, `{"appearance": {"disableAutofocus": false}}`},
}

func filter(operator string) string {
	return `{"conditions": {"events": {"values": [{"name": "a", "propertyFilters": {"k": {"values": ["1"], "operator": "` + operator + `"}}}]}}}`
}

func rating(optional string) string {
	return `{"questions": [{"type": "rating", "branching": {"type": "response_based"}, ` + optional + `}]}`
}

func attributes(t *testing.T, text string) map[string]any {
	t.Helper()
	decoded, err := jsonvalue.Decode(text)
	require.NoError(t, err, text)
	return decoded.(map[string]any)
}

// Each feature is found only in surveys that use it.
func TestUsedFeatures(t *testing.T) {
	t.Parallel()
	for _, feature := range audience.Features() {
		surveys, ok := uses[feature.Setting]
		if !assert.True(t, ok, "the test does not have a survey that uses %s", feature.Setting) {
			continue
		}
		var used, unused []string
		for _, found := range audience.UsedFeatures(attributes(t, surveys[0])) {
			used = append(used, found.Setting)
		}
		for _, found := range audience.UsedFeatures(attributes(t, surveys[1])) {
			unused = append(unused, found.Setting)
		}
		assert.Contains(t, used, feature.Setting)
		assert.NotContains(t, unused, feature.Setting)
	}
	assert.Len(t, uses, len(audience.Features()))
	assert.Empty(t, audience.UsedFeatures(attributes(t, `{"conditions": "odd", "appearance": [], "questions": ["odd", null], "translations": 7}`)))
}

// TestTablesAreWellFormed checks every cell: it must be a version or one of a few words. Each row must have a source.
func TestTablesAreWellFormed(t *testing.T) {
	t.Parallel()
	cell := regexp.MustCompile(`^(\d+\.\d+\.\d+|no|-|\?|yes|)$`)
	for _, feature := range audience.Features() {
		assert.NotEmpty(t, feature.Source, feature.Setting)
		for i, since := range feature.Since {
			assert.Regexp(t, cell, since, "%s %d", feature.Setting, i)
		}
	}
	for _, refusal := range audience.Refusals() {
		assert.NotEmpty(t, refusal.Source, refusal.Setting)
		for i, since := range refusal.Since {
			assert.Regexp(t, cell, since, "%s %d", refusal.Setting, i)
		}
	}
}

// TestTableHasTheNewestFacts checks facts that were wrong before. It describes them by what apps with a given SDK
// version do with a survey.
func TestTableHasTheNewestFacts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		survey       string
		sdk          audience.SDK
		before, from string
	}{
		{`{"appearance": {"shuffleQuestions": true}}`, audience.ReactNative, "4.67.9", "4.68.0"},
		{`{"questions": [{"shuffle_options": true}]}`, audience.ReactNative, "4.67.9", "4.68.0"},
		{filter("gt"), audience.ReactNative, "4.15.9", "4.16.0"},
		{filter("lt"), audience.IOS, "3.46.9", "3.47.0"},
		{`{"enable_partial_responses": true, "questions": [{}, {}]}`, audience.ReactNative, "4.74.9", "4.75.0"},
		{`{"enable_partial_responses": true, "questions": [{}, {}]}`, audience.IOS, "3.78.9", "3.79.0"},
		{`{"conditions": {"seenSurveyWaitPeriodInDays": 7}}`, audience.ReactNative, "4.81.4", "4.81.5"},
	} {
		var old, newest []string
		for _, feature := range audience.UsedFeatures(attributes(t, row.survey)) {
			old, newest = append(old, feature.IgnoreReason(row.sdk, row.before)), append(newest, feature.IgnoreReason(row.sdk, row.from))
		}
		assert.Contains(t, strings.Join(old, "\n"), row.from+" and later support", "%s: %s", row.sdk, row.survey)
		assert.Empty(t, strings.Join(newest, ""), "%s: %s", row.sdk, row.survey)
	}

	ordered := audience.UsedFeatures(attributes(t, `{"appearance": {"shuffleQuestions": true}, "enable_partial_responses": true}`))
	assert.Contains(t, ordered[0].IgnoreReason(audience.ReactNative, "4.90.0"), "no version of posthog-react-native supports appearance.shuffleQuestions with branching")
	variant := attributes(t, `{"conditions": {"linkedFlagVariant": "a"}}`)
	assert.Contains(t, audience.SDKSupport(variant), "posthog-ios in its newest source, release unknown (conditions.linkedFlagVariant)")
}

// TestNeverShows lists the SDKs that never show a survey with a condition that only web pages can meet.
func TestNeverShows(t *testing.T) {
	t.Parallel()
	const url, both = `{"type": "popover", "conditions": {"url": "/pricing", "urlMatchType": "exact"}}`, `{"conditions": {"url": "/x", "selector": "#a"}}`
	assert.Equal(t, "posthog-react-native (from 4.10.4 on), posthog-ios (from 3.67.1 on), posthog-android, and posthog_flutter never show a survey with conditions.url",
		audience.ExcludedSDKs(attributes(t, url)))
	assert.Contains(t, audience.ExcludedSDKs(attributes(t, both)), "never show a survey with conditions.url and conditions.selector")
	for _, survey := range []string{`{}`, `{"conditions": {"url": "", "selector": null}}`, `{"conditions": null}`} {
		assert.Empty(t, audience.ExcludedSDKs(attributes(t, survey)), survey)
	}

	assert.Empty(t, audience.ReactNative.NeverShows(attributes(t, url), "4.10.3"), "before 4.10.4, React Native showed such surveys on every page")
	assert.Equal(t, "conditions.url", audience.ReactNative.NeverShows(attributes(t, url), "4.10.4"))
	assert.Equal(t, "conditions.url", audience.Android.NeverShows(attributes(t, url), "1.0.0"))
	assert.Empty(t, audience.Web.NeverShows(attributes(t, url), "9.0.0"))
	assert.Equal(t, "posthog-js from 1.82.0 on (conditions.urlMatchType)", audience.SDKSupport(attributes(t, url)), "no other SDK supports this setting")

	s := audience.Survey{Conditions: `{"selector": "#a"}`}
	assert.Contains(t, s.ExcludedSDKs(), "conditions.selector")
	assert.Empty(t, (&audience.Survey{}).ExcludedSDKs())
}

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	inOrder := []string{"0.9.10", "1.2.3", "1.2.10", "1.10.0", "2.0.0", "2.0.99999999999999999999"}
	for i, a := range inOrder {
		for j, b := range inOrder {
			assert.Equal(t, cmp.Compare(i, j), audience.CompareVersions(a, b), "%s %s", a, b)
		}
	}
	assert.Zero(t, audience.CompareVersions("1.02.3", "1.2.03"))
}

func TestSDKsFor(t *testing.T) {
	t.Parallel()
	assert.Empty(t, audience.SDKSupport(attributes(t, `{"type": "popover"}`)))
	assert.Equal(t, "posthog-js from 1.415.0 on (appearance.displayIntroScreen); posthog-react-native from 4.75.0 on (enable_partial_responses), but for conditions.cancelEvents; "+
		"posthog-ios from 3.79.0 on (enable_partial_responses), but for conditions.cancelEvents; posthog-android from 3.70.0 on (enable_partial_responses), but for conditions.cancelEvents; "+
		"posthog_flutter from 5.48.0 on (enable_partial_responses), but for conditions.cancelEvents",
		audience.SDKSupport(attributes(t, `{"enable_partial_responses": true, "questions": [{}, {}], "appearance": {"displayIntroScreen": true}, "conditions": {"cancelEvents": {"values": [{}]}}}`)))
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	for _, feature := range audience.Features() {
		if feature.Setting != "enable_partial_responses" && feature.Setting != "questions[*].validation" {
			continue
		}
		if feature.Setting == "questions[*].validation" {
			assert.Equal(t, "no version of posthog-ios supports questions[*].validation", feature.IgnoreReason(audience.IOS, "9.0.0"))
			continue
		}
		assert.Equal(t, "posthog-js 1.239.9 ignores enable_partial_responses, which 1.240.0 and later support", feature.IgnoreReason(audience.Web, "1.239.9"))
		assert.Empty(t, feature.IgnoreReason(audience.Web, "1.240.0"))
		assert.Empty(t, feature.IgnoreReason(audience.Web, "2.0.0"))
	}
}

func TestParseSDK(t *testing.T) {
	t.Parallel()
	sdk, version, err := audience.ParseSDK("posthog_flutter=5.48.0")
	require.NoError(t, err)
	assert.Equal(t, audience.Flutter, sdk)
	assert.Equal(t, "5.48.0", version)
	for _, text := range []string{"", "posthog-js", "posthog-js=1.2", "posthog-js=v1.2.3", "posthog=1.2.3"} {
		_, _, err := audience.ParseSDK(text)
		require.Error(t, err, text)
		assert.True(t, strings.Contains(err.Error(), "posthog-js"), err)
	}
}

// The mobile SDKs show popovers, except those that are limited to desktops or pages. The iOS and Android SDKs show api
// surveys if the app requests them.
func TestShows(t *testing.T) {
	t.Parallel()
	for survey, shown := range map[string][3]bool{ // by the web SDK, by posthog-android, and by React Native
		`{}`:                                  {true, true, true},
		`{"type": "popover"}`:                 {true, true, true},
		`{"type": "widget"}`:                  {true, false, false},
		`{"type": "api"}`:                     {true, true, false},
		`{"type": "external_survey"}`:         {false, false, false},
		`{"conditions": {"url": "/pricing"}}`: {true, false, false},
		`{"conditions": {"deviceTypes": ["Desktop"]}}`:                                   {true, false, false},
		`{"conditions": {"deviceTypes": ["desktop"], "deviceTypesMatchType": "exact"}}`:  {true, false, false},
		`{"conditions": {"deviceTypes": ["Desktop"], "deviceTypesMatchType": "is_not"}}`: {true, true, true},
		`{"conditions": {"deviceTypes": ["Desktop", "Tablet"]}}`:                         {true, true, true},
		`{"conditions": {"deviceTypes": []}}`:                                            {true, true, true},
	} {
		assert.Equal(t, shown[0], audience.Web.Shows(attributes(t, survey)), survey)
		assert.Equal(t, shown[1], audience.Android.Shows(attributes(t, survey)), survey)
		assert.Equal(t, shown[2], audience.ReactNative.Shows(attributes(t, survey)), survey)
	}
}
