package testserver

import "encoding/json"

// appearanceTexts are the texts of an appearance that are cleaned; what is no text
// under these names is left alone.
var appearanceTexts = []string{
	"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
	"introScreenHeader", "introScreenDescription", "introScreenButtonText",
}

func cleanAppearance(appearance pairs) pairs {
	for _, name := range appearanceTexts {
		if value := appearance.get(name); isText(value) {
			appearance = appearance.with(name, cleanText(value))
		}
	}
	return appearance
}

func refusedAppearance(detail string) *failure { return invalid("invalid_input", "appearance", detail) }

// checkAppearance checks the few keys that the service looks at and cleans its texts.
func (w *surveyWrite) checkAppearance(raw json.RawMessage) (json.RawMessage, *failure) {
	if isNothing(raw) {
		return raw, nil
	}
	if !isObject(raw) {
		return nil, refusedAppearance("Appearance must be an object")
	}
	appearance := cleanAppearance(pairsOf(raw))

	if kind := appearance.get("thankYouMessageDescriptionContentType"); isTruthy(kind) && !isContentType(kind) {
		return nil, refusedAppearance("thankYouMessageDescriptionContentType must be one of ['text', 'html']")
	}
	if delay := appearance.get("surveyPopupDelaySeconds"); isTruthy(delay) {
		seconds, ok := number(delay)
		switch {
		case !ok:
			return nil, broken()
		case seconds < 0:
			return nil, refusedAppearance("Survey popup delay seconds must be a positive integer")
		}
	}
	white := appearance.get("whiteLabel")
	if !isNothing(white) && white[0] != 't' && white[0] != 'f' {
		return nil, refusedAppearance("whiteLabel must be a boolean")
	}
	if isTruthy(white) && !w.organization.has(FeatureWhiteLabelling) {
		return nil, refusedAppearance("You need to upgrade to PostHog Enterprise to use white labelling")
	}
	if f := w.checkStyling(appearance); f != nil {
		return nil, f
	}
	return appearance.json(), nil
}

// stylingDefaults are the keys of an appearance that style a survey, with what the web
// interface gives them; null where it gives nothing.
var stylingDefaults = pairs{
	{"backgroundColor", quote("#eeeded")}, {"borderColor", quote("#c9c6c6")},
	{"submitButtonColor", quote("black")}, {"submitButtonTextColor", quote("white")},
	{"ratingButtonColor", quote("white")}, {"ratingButtonActiveColor", quote("black")}, {"ratingButtonHoverColor", encode(nil)},
	{"textColor", encode(nil)}, {"textSubtleColor", quote("#939393")},
	{"inputBackground", quote("white")}, {"inputTextColor", encode(nil)},
	{"placeholder", quote("Start typing...")}, {"fontFamily", quote("inherit")},
	{"maxWidth", quote("300px")}, {"boxPadding", quote("20px 24px")},
	{"boxShadow", quote("0 4px 12px rgba(0, 0, 0, 0.15)")}, {"borderRadius", quote("10px")},
	{"zIndex", quote("2147482647")}, {"disabledButtonOpacity", quote("0.6")},
	{"position", quote("bottom-right")}, {"tabPosition", quote("right")},
}

// checkStyling refuses to change the styling of a survey without the plan for it. A key
// that is sent has to be as it is, or as the web interface makes it; one that is not
// sent is fine.
func (w *surveyWrite) checkStyling(appearance pairs) *failure {
	if !w.organization.has(FeatureStylingGate) || w.organization.has(FeatureStyling) {
		return nil
	}
	var current pairs
	if w.before != nil && isObject(w.before.hostedValue("appearance")) {
		current = pairsOf(w.before.hostedValue("appearance"))
	}
	for _, key := range stylingDefaults {
		sent, allowed := appearance.get(key.name), current.get(key.name)
		if allowed == nil {
			allowed = key.value
		}
		if sent != nil && string(sent) != string(allowed) {
			return refusedAppearance("You need to upgrade your plan to customize survey styling")
		}
	}
	return nil
}
