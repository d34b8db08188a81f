package review_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
)

// uses are surveys that use a feature, and surveys close to those that do not.
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
	"appearance.fontFamily":                                  {`{"appearance": {"fontFamily": "serif"}}`, `{"appearance": {"fontFamily": "inherit"}}`},
	"appearance.inputBackground, appearance.inputTextColor":  {`{"appearance": {"inputTextColor": "red"}}`, `{"appearance": {"inputTextColor": "", "inputBackground": "white"}}`},
	"appearance.textColor, appearance.submitButtonTextColor": {`{"appearance": {"textColor": "red"}}`, `{"appearance": {"textColor": null, "submitButtonTextColor": "white"}}`},
	"appearance.shuffleQuestions":                            {`{"appearance": {"shuffleQuestions": true}}`, `{"appearance": {"shuffleQuestions": false}}`},
	"appearance.surveyPopupDelaySeconds":                     {`{"appearance": {"surveyPopupDelaySeconds": 3}}`, `{"appearance": {"surveyPopupDelaySeconds": 0}}`},
	"appearance.displayIntroScreen":                          {`{"appearance": {"displayIntroScreen": true}}`, `{"appearance": {"displayIntroScreen": false}}`},
	"appearance.hideCancelButton":                            {`{"appearance": {"hideCancelButton": true}}`, `{"appearance": {"hideCancelButton": false}}`},
	"appearance.allowGoBack":                                 {`{"appearance": {"allowGoBack": true}}`, `{"appearance": {"allowGoBack": false}}`},
	"appearance.disableAutofocus":                            {`{"appearance": {"disableAutofocus": true}}`, `{"appearance": {"disableAutofocus": false}}`},
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

// Each feature is found where a survey uses it, and nowhere else.
func TestUsedFeatures(t *testing.T) {
	t.Parallel()
	for _, feature := range review.Features() {
		surveys, ok := uses[feature.Setting]
		if !assert.True(t, ok, "no survey uses %s", feature.Setting) {
			continue
		}
		var used, unused []string
		for _, found := range review.UsedFeatures(attributes(t, surveys[0])) {
			used = append(used, found.Setting)
		}
		for _, found := range review.UsedFeatures(attributes(t, surveys[1])) {
			unused = append(unused, found.Setting)
		}
		assert.Contains(t, used, feature.Setting)
		assert.NotContains(t, unused, feature.Setting)
	}
	assert.Len(t, uses, len(review.Features()))
	assert.Empty(t, review.UsedFeatures(attributes(t, `{"conditions": "odd", "appearance": [], "questions": ["odd", null], "translations": 7}`)))
}

// Every cell of the table is a version or one of the few other words.
func TestTableIsWellFormed(t *testing.T) {
	t.Parallel()
	for _, feature := range review.Features() {
		for i, since := range feature.Since {
			assert.Regexp(t, regexp.MustCompile(`^(\d+\.\d+\.\d+|no|-|\?|yes|)$`), since, "%s %d", feature.Setting, i)
		}
	}
}

func TestSDKsFor(t *testing.T) {
	t.Parallel()
	assert.Empty(t, review.SDKsFor(attributes(t, `{"type": "popover"}`)))
	assert.Equal(t, "posthog-js from 1.415.0 on (appearance.displayIntroScreen); posthog-react-native from 4.75.0 on (enable_partial_responses), but for conditions.cancelEvents; "+
		"posthog-ios from 3.79.0 on (enable_partial_responses), but for conditions.cancelEvents; posthog-android from 3.70.0 on (enable_partial_responses), but for conditions.cancelEvents; "+
		"posthog_flutter from 5.48.0 on (enable_partial_responses), but for conditions.cancelEvents",
		review.SDKsFor(attributes(t, `{"enable_partial_responses": true, "questions": [{}, {}], "appearance": {"displayIntroScreen": true}, "conditions": {"cancelEvents": {"values": [{}]}}}`)))
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	for _, feature := range review.Features() {
		if feature.Setting != "enable_partial_responses" && feature.Setting != "conditions.urlMatchType" {
			continue
		}
		if feature.Setting == "conditions.urlMatchType" {
			assert.Equal(t, "no version of posthog-ios supports conditions.urlMatchType", feature.Ignored(review.IOS, "9.0.0"))
			continue
		}
		assert.Equal(t, "posthog-js 1.239.9 ignores enable_partial_responses, which 1.240.0 and later support", feature.Ignored(review.Web, "1.239.9"))
		assert.Empty(t, feature.Ignored(review.Web, "1.240.0"))
		assert.Empty(t, feature.Ignored(review.Web, "2.0.0"))
	}
}

func TestParseSDK(t *testing.T) {
	t.Parallel()
	sdk, version, err := review.ParseSDK("posthog_flutter=5.48.0")
	require.NoError(t, err)
	assert.Equal(t, review.Flutter, sdk)
	assert.Equal(t, "5.48.0", version)
	for _, text := range []string{"", "posthog-js", "posthog-js=1.2", "posthog-js=v1.2.3", "posthog=1.2.3"} {
		_, _, err := review.ParseSDK(text)
		require.Error(t, err, text)
		assert.True(t, strings.Contains(err.Error(), "posthog-js"), err)
	}
}

// The SDKs of mobile apps show popovers alone, and none that are for desktops.
func TestShows(t *testing.T) {
	t.Parallel()
	for survey, shown := range map[string][2]bool{ // by the web SDK, and by one of a mobile app
		`{}`:                          {true, true},
		`{"type": "popover"}`:         {true, true},
		`{"type": "widget"}`:          {true, false},
		`{"type": "api"}`:             {true, false},
		`{"type": "external_survey"}`: {false, false},
		`{"conditions": {"deviceTypes": ["Desktop"]}}`:                                   {true, false},
		`{"conditions": {"deviceTypes": ["desktop"], "deviceTypesMatchType": "exact"}}`:  {true, false},
		`{"conditions": {"deviceTypes": ["Desktop"], "deviceTypesMatchType": "is_not"}}`: {true, true},
		`{"conditions": {"deviceTypes": ["Desktop", "Tablet"]}}`:                         {true, true},
		`{"conditions": {"deviceTypes": []}}`:                                            {true, true},
	} {
		assert.Equal(t, shown[0], review.Web.Shows(attributes(t, survey)), survey)
		assert.Equal(t, shown[1], review.Android.Shows(attributes(t, survey)), survey)
	}
}
