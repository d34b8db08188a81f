package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// appearanceKeys are the keys that the service or an SDK knows.
var appearanceKeys = func() objectShape {
	k := objectShape{
		"surveyPopupDelaySeconds":               numberShape,
		"thankYouMessageDescriptionContentType": oneOf(string(api.Text), string(api.HTML)),
		"introScreenDescriptionContentType":     oneOf(string(api.Text), string(api.HTML)),
		"widgetType":                            oneOf("button", "tab", "selector"),
		"tabPosition":                           oneOf("top", "left", "right", "bottom"),
		"position": oneOf("top_left", "top_center", "top_right", "middle_left", "middle_center", "middle_right",
			"left", "center", "right", "next_to_trigger"),
	}
	for _, name := range []string{
		"whiteLabel", "autoDisappear", "displayThankYouMessage", "displayIntroScreen", "shuffleQuestions", "allowGoBack",
		"hideCancelButton", "disableAutofocus",
	} {
		k[name] = boolShape
	}
	for _, name := range []string{
		"submitButtonText", "borderRadius", "boxShadow", "boxPadding", "placeholder", "fontFamily", "maxWidth",
		"zIndex", "disabledButtonOpacity", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
		"introScreenHeader", "introScreenDescription", "introScreenButtonText",
		"widgetSelector", "widgetLabel", "backButtonText",
	} {
		k[name] = stringShape
	}
	for _, name := range []string{
		"backgroundColor", "submitButtonColor", "submitButtonTextColor", "textColor", "descriptionTextColor", "textSubtleColor", "ratingButtonColor",
		"ratingButtonActiveColor", "ratingButtonHoverColor", "borderColor", "inputBackground", "inputBackgroundColor", "inputTextColor", "widgetColor",
	} {
		k[name] = colorShape
	}
	return k
}()

// stylingKeys are the keys that some versions of the service reserve for a paid plan, with
// the defaults of the web interface, which are accepted without that plan.
var stylingKeys = map[string]string{
	"backgroundColor": "#eeeded", "borderColor": "#c9c6c6", "submitButtonColor": "black", "submitButtonTextColor": "white",
	"ratingButtonColor": "white", "ratingButtonActiveColor": "black", "ratingButtonHoverColor": "",
	"textColor": "", "textSubtleColor": "#939393", "inputBackground": "white", "inputBackgroundColor": "", "inputTextColor": "",
	"placeholder": "Start typing...", "fontFamily": "inherit", "maxWidth": "300px", "boxPadding": "20px 24px",
	"boxShadow": "0 4px 12px rgba(0, 0, 0, 0.15)", "borderRadius": "10px", "zIndex": "2147482647", "disabledButtonOpacity": "0.6",
	"position": "bottom-right", "tabPosition": "right",
}

func checkAppearance(s candidate, found *Findings) {
	p := atAttribute("appearance")
	if appearance, ok := decodedObject(p, s.Appearance, found); ok {
		appearanceKeys.shape(p, appearance, found)
		if appearance["widgetType"] == "selector" && (appearance["widgetSelector"] == nil || appearance["widgetSelector"] == "") {
			found.warnf(p.key("widgetSelector"), "Missing widgetSelector",
				`is missing, and widgetType is "selector": it is the CSS selector of the element that opens the survey, and without it nothing does.`)
		}
	}
}

// warnOfPaidStyling warns of new settings of the appearance that may need a paid plan. Only
// the service knows whether the organization has one.
func warnOfPaidStyling(planned, prior candidate, diags *diag.Diagnostics) {
	after, _ := decoded(planned.Appearance)
	before, _ := decoded(prior.Appearance)
	appearance, _ := after.(map[string]any)
	stored, _ := before.(map[string]any)

	var paid []string
	for _, key := range slices.Sorted(maps.Keys(stylingKeys)) {
		value, isText := appearance[key].(string)
		unchanged := stored[key] == appearance[key] || stored[key] == nil && value == stylingKeys[key]
		if isText && !unchanged {
			paid = append(paid, key)
		}
	}
	if appearance["whiteLabel"] == true && stored["whiteLabel"] != true {
		paid = append(paid, "whiteLabel")
	}
	if len(paid) == 0 {
		return
	}
	diags.AddAttributeWarning(path.Root("appearance"), survey.TitleOf("Styling may need a paid plan", planned.Name),
		fmt.Sprintf("appearance sets %s. Some versions of the service accept that only from organizations whose plan includes "+
			"styling of surveys and white labelling, and refuse the apply otherwise. If yours accepts it, there is nothing to do.", strings.Join(paid, ", ")))
}

// checkShuffle warns of branching in a survey with shuffled questions, where targets by
// position have no meaning.
func checkShuffle(s candidate, found *Findings) {
	v, _ := decoded(s.Appearance)
	appearance, _ := v.(map[string]any)
	if appearance["shuffleQuestions"] != true {
		return
	}

	for _, question := range s.Questions.List() {
		if attribute.IsKnown(question.Branching) {
			found.errorf(atAttribute("appearance").key("shuffleQuestions"), "Shuffled questions cannot branch",
				"is true, and a question has branching. Shuffled questions have no fixed order to branch in: remove one of the two.")
			return
		}
	}
}

var (
	hexColor = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	oneWord  = regexp.MustCompile(`^[a-zA-Z]+$`)
)

// colorNames are the named colors of CSS, in small letters, and the words that CSS takes in
// place of any value.
var colorNames = strings.Fields(`
	aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
	cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
	darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
	darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
	firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
	hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
	lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
	lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
	mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
	midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
	palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
	rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
	slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
	whitesmoke yellow yellowgreen
	transparent currentcolor inherit initial unset revert none
	accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext
	graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext`)

// colorShape is a text, and warns of one that no browser takes for a color. Functions such as
// rgb(...), and whatever else is not a word or begins with #, are left to the browser.
func colorShape(p location, v any, found *Findings) {
	text, ok := v.(string)
	if !ok {
		stringShape(p, v, found)
		return
	}

	text = strings.TrimSpace(text)
	isHex, isWord := strings.HasPrefix(text, "#"), oneWord.MatchString(text)
	switch {
	case isHex && !hexColor.MatchString(text):
		found.warnf(p, "Unknown color", "is %q. A color that begins with # has 3, 4, 6 or 8 hexadecimal digits. Browsers ignore this one.", text)
	case isWord && !slices.Contains(colorNames, strings.ToLower(text)):
		hint := ""
		if near, ok := attribute.Nearest(text, colorNames); ok {
			hint = " Did you mean " + near + "?"
		}
		found.warnf(p, "Unknown color", "is %q, which is not a CSS color. Browsers ignore it.%s", text, hint)
	}
}

// checkExternal refuses settings that have no meaning for an external survey.
func checkExternal(s candidate, found *Findings) {
	if s.Type.ValueString() != string(api.ExternalSurvey) {
		return
	}

	const title = "Not supported by external surveys"
	const text = "has no meaning in a survey of type external_survey, which is a page of its own. Remove it, or change the type."

	if attribute.IsKnown(s.LinkedFlagID) {
		found.errorf(atAttribute("linked_flag_id"), title, text)
	}
	if _, ok := decoded(s.TargetingFlagFilters); ok {
		found.errorf(atAttribute("targeting_flag_filters"), title, text)
	}

	if v, ok := decoded(s.Conditions); ok {
		conditions, _ := v.(map[string]any)
		for _, key := range []string{"url", "urlMatchType", "selector", "seenSurveyWaitPeriodInDays", "linkedFlagVariant", "deviceTypes", "deviceTypesMatchType"} {
			if conditions[key] != nil {
				found.errorf(atAttribute("conditions").key(key), title, text)
			}
		}
		for _, key := range []string{"actions", "events"} {
			if len(valuesOf(conditions[key])) > 0 {
				found.errorf(atAttribute("conditions").key(key), title, text)
			}
		}
	}

	if v, ok := decoded(s.Appearance); ok {
		if appearance, _ := v.(map[string]any); appearance["surveyPopupDelaySeconds"] != nil {
			found.errorf(atAttribute("appearance").key("surveyPopupDelaySeconds"), title, text)
		}
	}
}
