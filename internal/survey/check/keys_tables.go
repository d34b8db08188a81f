package check

import (
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// eventTable lists an event's keys in conditions.
var eventTable = []Key{
	{Name: "name", Form: Text, Meaning: "Name of the event."},
	{Name: "propertyFilters", Form: Map, Meaning: "Required values of the event's properties, by name. An event without the property doesn't match.", Items: &Key{Form: Object, Keys: []Key{
		{Name: "values", Form: List, Meaning: "Values, one of which must match, or none with an operator that starts with `is_not` or `not_`.", Items: &Key{Form: Text}},
		{Name: "operator", Form: Text, Meaning: "How to compare.", Values: append([]string{"gt", "lt"}, matchTypes...), IsOpen: true},
	}}},
}

var conditionTable = []Key{
	{Name: "url", Form: Text, Meaning: "Part of the page's URL, or the whole URL or a pattern, depending on `urlMatchType`. It is compared with the URL as browsers encode it."},
	{Name: "urlMatchType", Form: Text, Meaning: "How to compare `url`. Defaults to `icontains`, which ignores case.", Values: matchTypes},
	{Name: "selector", Form: Text, Meaning: "CSS selector of an element that must be on the page."},
	{Name: "deviceTypes", Form: List, Meaning: "Types of devices.", Items: &Key{Form: Text, Values: []string{"Desktop", "Mobile", "Tablet"}}},
	{Name: "deviceTypesMatchType", Form: Text, Meaning: "How to compare `deviceTypes`. Defaults to `icontains`.", Values: matchTypes},
	{Name: "seenSurveyWaitPeriodInDays", Form: Integer, Meaning: "Days for which the respondent must not have been shown any survey."},
	{Name: "linkedFlagVariant", Form: Text, Meaning: "Variant of the linked flag that the respondent must have, or `any`."},
	{Name: "events", Form: Object, Meaning: "Events, one of which the app must have sent since the page was loaded. With `actions`, one event or action is enough.", Keys: []Key{
		{Name: "repeatedActivation", Form: Boolean, Meaning: "Whether each of the events shows the survey again, even to respondents who have answered it."},
		{Name: "values", Form: List, Meaning: "The events.", Items: &Key{Form: Object, Keys: eventTable}},
	}},
	{Name: "cancelEvents", Form: Object, Meaning: "Events that cancel a survey while it waits to be shown after one of `events` or `actions`.", Keys: []Key{
		{Name: "values", Form: List, Meaning: "The events.", Items: &Key{Form: Object, Keys: eventTable}},
	}},
	{Name: "actions", Form: Object, Meaning: "Actions, one of which must have been done since the page was loaded. With `events`, one event or action is enough.", Keys: []Key{
		// PostHog returns many more action fields than the ID and the name.
		{Name: "values", Form: List, Meaning: "The actions, each with its `id`: the number at the end of its URL in PostHog.", Items: &Key{Form: Map}},
	}},
}

func texts(meanings map[string]string) []Key { return keysOfForm(Text, meanings) }

func keysOfForm(form Form, meanings map[string]string) []Key {
	var table []Key
	for _, name := range slices.Sorted(maps.Keys(meanings)) {
		table = append(table, Key{Name: name, Form: form, Meaning: meanings[name]})
	}
	return table
}

var contentTypeValues = contentTypes.Values()

var appearanceTable = slices.Concat([]Key{
	{
		Name: "position", Form: Text, Meaning: "Position of a popover on the page, or next to the element of `widgetSelector`. Defaults to the lower right corner.",
		Values: []string{"top_left", "top_center", "top_right", "middle_left", "middle_center", "middle_right", "left", "center", "right", "next_to_trigger"},
	},
	{Name: "widgetType", Form: Text, Meaning: "What opens the survey: a tab at the edge of the page, a button of your app that calls posthog-js, or the element of `widgetSelector`. Required for a survey of type `widget`: without it, nothing opens the survey.", Values: []string{"button", "tab", "selector"}},
	{Name: "tabPosition", Form: Text, Meaning: "Edge of the page for the tab. Defaults to `right`.", Values: []string{"top", "left", "right", "bottom"}},
	{Name: "surveyPopupDelaySeconds", Form: Number, Meaning: "Seconds that a survey waits after its conditions are met, or after its widget is opened."},
	{Name: "thankYouMessageDescriptionContentType", Form: Text, Meaning: "Format of `thankYouMessageDescription`.", Values: contentTypeValues},
	{Name: "introScreenDescriptionContentType", Form: Text, Meaning: "Format of `introScreenDescription`.", Values: contentTypeValues},
}, keysOfForm(Boolean, map[string]string{
	"whiteLabel":             "Whether the survey hides the PostHog logo. Requires a paid plan.",
	"autoDisappear":          "Whether the survey disappears after the thank-you message.",
	"displayThankYouMessage": "Whether a message follows the last question.",
	"displayIntroScreen":     "Whether a screen precedes the first question.",
	"shuffleQuestions":       "Whether the questions are shuffled. Conflicts with branching.",
	"allowGoBack":            "Whether respondents can go back to the previous question.",
	"hideCancelButton":       "Whether the survey hides the button that closes it.",
	"disableAutofocus":       "Whether the survey leaves the keyboard focus where it is.",
}), texts(map[string]string{
	"submitButtonText": "Text of the submit button of questions without `button_text`.", "borderRadius": "Radius of the corners, as in CSS.", "boxShadow": "Shadow, as in CSS.",
	"boxPadding": "Padding, as in CSS.", "placeholder": "Text of an empty input.", "fontFamily": "Font, as in CSS.", "maxWidth": "Maximum width, as in CSS.",
	"zIndex": "Layer, as in CSS: a number in quotes.", "disabledButtonOpacity": "Opacity of a disabled button: a number in quotes.",
	"thankYouMessageHeader": "Header of the message after the last question.", "thankYouMessageDescription": "Text below that header.",
	"thankYouMessageCloseButtonText": "Text of the button that closes that message.",
	"introScreenHeader":              "Header of the screen before the first question.", "introScreenDescription": "Text below that header.", "introScreenButtonText": "Text of the button on that screen.",
	"widgetSelector": "CSS selector of the element that opens the survey, with `widgetType` `selector` or `position` `next_to_trigger`.",
	"widgetLabel":    "Text on the tab.", "backButtonText": "Text of the button that goes back.", "widgetColor": "Color of the tab.",
	"backgroundColor": "Color of the background.", "submitButtonColor": "Color of the submit button.", "submitButtonTextColor": "Color of its text.", "textColor": "Color of texts.",
	"descriptionTextColor": "Color of descriptions. Newer SDKs read `textSubtleColor`.", "textSubtleColor": "Color of secondary texts.", "ratingButtonColor": "Color of the steps of a rating.",
	"ratingButtonActiveColor": "Color of the chosen step.", "ratingButtonHoverColor": "Color of the step under the pointer.", "borderColor": "Color of borders.",
	"inputBackground": "Background of inputs.", "inputBackgroundColor": "Old name of `inputBackground`.", "inputTextColor": "Color of the text in inputs.",
}))

// groupIndex is the key for the filters' group type. null means persons.
const groupIndex = "aggregation_group_type_index"

var propertyTable = []Key{
	{Name: "key", Form: Any, Meaning: "Name of the property, `id` for a cohort, or the ID of a feature flag in quotes."},
	{Name: "type", Form: Any, Meaning: "Type of the property: `person`, `cohort`, `flag`, or `group`.", Values: []string{"person", "cohort", "flag", "group"}},
	{Name: "operator", Form: StrictText, Meaning: "How to compare. Defaults to `exact`.", Values: slices.Sorted(maps.Keys(operators))},
	{Name: "value", Form: Any, Meaning: "Value or values to compare the property with."},
	{Name: "negation", Form: Boolean, Meaning: "Whether the property must not match."},
	{Name: "group_type_index", Form: Integer, Meaning: "Number of the group type of the property."},
	{Name: "label", Form: Any, Meaning: "Label that PostHog shows."}, {Name: "cohort_name", Form: Any, Meaning: "Name of the cohort that PostHog shows."},
}

var filterTable = []Key{
	{Name: "groups", Form: List, Meaning: "Groups of conditions. A person must match one of them.", Items: &Key{Form: Object, Keys: []Key{
		{Name: "properties", Form: List, Meaning: "Properties, all of which must match.", Items: &Key{Form: Object, Keys: propertyTable}},
		{Name: "rollout_percentage", Form: Percentage, Meaning: "Percentage of the matching persons."},
		{Name: "variant", Form: StrictText, Meaning: "Variant for the matching persons."},
		{Name: "description", Form: Text, Meaning: "Description of the group."},
		{Name: groupIndex, Form: Integer, Meaning: "Index of the group type, if the group of conditions matches groups instead of persons."},
	}}},
	{Name: "multivariate", Form: Object, Meaning: "Variants of the flag.", Keys: []Key{
		{Name: "variants", Form: List, Meaning: "The variants, whose shares add up to 100.", Items: &Key{Form: Object, Keys: []Key{
			{Name: "key", Form: StrictText, Meaning: "Key of the variant."}, {Name: "name", Form: Text, Meaning: "Description of the variant."}, {Name: "rollout_percentage", Form: Percentage, Meaning: "Share of the variant."},
		}}},
	}},
	{Name: "payloads", Form: Map, Meaning: "JSON text that the flag returns, by variant, or for `true`."},
	{Name: "early_exit", Form: Boolean, Meaning: "Whether the first matching group decides, even for persons outside of its percentage."},
	{Name: groupIndex, Form: Integer, Meaning: "Number of the group type of all groups."},
	// Flag keys that surveys do not need.
	{Name: "super_groups", Form: Any}, {Name: "feature_enrollment", Form: Boolean}, {Name: "holdout", Form: Any}, {Name: "holdout_groups", Form: Any},
}

var (
	surveyTextTable   = textTable(survey.SurveyTexts)
	questionTextTable = textTable(survey.QuestionTexts)
)

func textTable(names []string) []Key {
	var table []Key
	for _, name := range names {
		key := Key{Name: name, Form: StrictText, Meaning: textMeanings[name]}
		if name == "choices" {
			key.Form, key.Items = List, &Key{Form: StrictText}
		}
		table = append(table, key)
	}
	return table
}

// textMeanings describes the texts of a translation.
var textMeanings = map[string]string{
	"name": "Name of the survey.", "description": "Description.",
	"thankYouMessageHeader": "Title of the thank-you message.", "thankYouMessageDescription": "Text of the thank-you message.",
	"thankYouMessageCloseButtonText": "Text of the button that closes the thank-you message.",
	"question":                       "Text of the question.", "buttonText": "Text of the button that submits the answer.",
	"lowerBoundLabel": "Label of the lowest rating.", "upperBoundLabel": "Label of the highest rating.",
	"choices": "Choices in the same order.", "link": "Target of a `link` question.",
}

// translationTable has one key, which represents every language.
func translationTable(meaning string, texts []Key) []Key {
	return []Key{{Name: "LANGUAGE", Form: Object, Meaning: meaning + " The key is a language code, such as `de` or `pt-BR`.", Keys: texts}}
}

// QuestionTranslationKeys returns the keys of a question's translations.
func QuestionTranslationKeys() []Key {
	return translationTable("Text of the question in a language.", questionTextTable)
}
