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
	return appearance.JSON(), nil
}
