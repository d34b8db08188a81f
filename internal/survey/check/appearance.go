package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
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
