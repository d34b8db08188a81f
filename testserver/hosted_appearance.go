package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// appearanceTexts are the texts of an appearance that are cleaned. Values that are not
// strings are left alone.
var appearanceTexts = []string{
	"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
	"introScreenHeader", "introScreenDescription", "introScreenButtonText",
}

func cleanAppearance(appearance rawjson.Pairs) rawjson.Pairs {
	for _, name := range appearanceTexts {
		if value := appearance.Get(name); rawjson.IsString(value) {
			appearance = appearance.With(name, cleanText(value))
		}
	}
	return appearance
}

func refusedAppearance(detail string) *field.Failure {
	return field.Invalid("invalid_input", "appearance", detail)
}

// checkAppearance checks the few keys that the service checks, and cleans the texts.
func (w *surveyWrite) checkAppearance(raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if rawjson.IsNull(raw) {
		return raw, nil
	}
	if !rawjson.IsObject(raw) {
		return nil, refusedAppearance("Appearance must be an object")
	}
	appearance := cleanAppearance(rawjson.PairsOf(raw))

	if kind := appearance.Get("thankYouMessageDescriptionContentType"); python.IsTruthy(kind) && !isContentType(kind) {
		return nil, refusedAppearance("thankYouMessageDescriptionContentType must be one of ['text', 'html']")
	}
	if delay := appearance.Get("surveyPopupDelaySeconds"); python.IsTruthy(delay) {
		seconds, ok := python.Number(delay)
		switch {
		case !ok:
			return nil, field.ServerError()
		case seconds < 0:
			return nil, refusedAppearance("Survey popup delay seconds must be a positive integer")
		}
	}
	white := appearance.Get("whiteLabel")
	if !rawjson.IsNull(white) && white[0] != 't' && white[0] != 'f' {
		return nil, refusedAppearance("whiteLabel must be a boolean")
	}
	if python.IsTruthy(white) && !w.x.organization.Has(FeatureWhiteLabelling) {
		return nil, refusedAppearance("You need to upgrade to PostHog Enterprise to use white labelling")
	}
	if f := w.checkStyling(appearance); f != nil {
		return nil, f
	}
	return appearance.JSON(), nil
}

// stylingDefaults are the styling keys of an appearance, with the defaults of the web
// interface; null if it has none.
var stylingDefaults = rawjson.Pairs{
	{Name: "backgroundColor", Value: rawjson.Quote("#eeeded")},
	{Name: "borderColor", Value: rawjson.Quote("#c9c6c6")},
	{Name: "submitButtonColor", Value: rawjson.Quote("black")},
	{Name: "submitButtonTextColor", Value: rawjson.Quote("white")},
	{Name: "ratingButtonColor", Value: rawjson.Quote("white")},
	{Name: "ratingButtonActiveColor", Value: rawjson.Quote("black")},
	{Name: "ratingButtonHoverColor", Value: rawjson.Encode(nil)},
	{Name: "textColor", Value: rawjson.Encode(nil)},
	{Name: "textSubtleColor", Value: rawjson.Quote("#939393")},
	{Name: "inputBackground", Value: rawjson.Quote("white")},
	{Name: "inputTextColor", Value: rawjson.Encode(nil)},
	{Name: "placeholder", Value: rawjson.Quote("Start typing...")},
	{Name: "fontFamily", Value: rawjson.Quote("inherit")},
	{Name: "maxWidth", Value: rawjson.Quote("300px")},
	{Name: "boxPadding", Value: rawjson.Quote("20px 24px")},
	{Name: "boxShadow", Value: rawjson.Quote("0 4px 12px rgba(0, 0, 0, 0.15)")},
	{Name: "borderRadius", Value: rawjson.Quote("10px")},
	{Name: "zIndex", Value: rawjson.Quote("2147482647")},
	{Name: "disabledButtonOpacity", Value: rawjson.Quote("0.6")},
	{Name: "position", Value: rawjson.Quote("bottom-right")},
	{Name: "tabPosition", Value: rawjson.Quote("right")},
}

// checkStyling refuses to change the styling of a survey without the plan for it. A key
// that is sent has to be as it is, or as the web interface makes it; one that is not
// sent is fine.
func (w *surveyWrite) checkStyling(appearance rawjson.Pairs) *field.Failure {
	if !w.x.organization.Has(FeatureStylingGate) || w.x.organization.Has(FeatureStyling) {
		return nil
	}
	var current rawjson.Pairs
	if w.before != nil && rawjson.IsObject(w.before.HostedValue("appearance")) {
		current = rawjson.PairsOf(w.before.HostedValue("appearance"))
	}
	for _, key := range stylingDefaults {
		sent, allowed := appearance.Get(key.Name), current.Get(key.Name)
		if allowed == nil {
			allowed = key.Value
		}
		if sent != nil && string(sent) != string(allowed) {
			return refusedAppearance("You need to upgrade your plan to customize survey styling")
		}
	}
	return nil
}
