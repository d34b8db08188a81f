package testserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// languageForm is the form of a language code, in lower case.
var languageForm = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$`)

const defaultLanguage = "en"

// languageWords were taken for languages once and mean none.
var languageWords = []string{"default", "original", "base"}

// languageCode is a language code in the form in which it is compared.
func languageCode(s string) string {
	return strings.ReplaceAll(strings.ToLower(python.Trim(s)), "_", "-")
}

// checkBaseLanguage takes a language code; without one it is English.
func checkBaseLanguage(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *field.Failure) {
	value := rawjson.Unquote(raw)
	code := languageCode(value)
	switch {
	case code == "":
		return rawjson.Quote(defaultLanguage), nil
	case slices.Contains(languageWords, code):
		return nil, field.Invalid("invalid_input", "base_language", fmt.Sprintf("'%s' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", value))
	case !languageForm.MatchString(code):
		return nil, field.Invalid("invalid_input", "base_language",
			fmt.Sprintf("'%s' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX'.", value))
	}
	return rawjson.Quote(code), nil
}

// baseLanguage is the language that the survey will have, as far as the request says.
func (w *surveyWrite) baseLanguage() string {
	if sent := w.body["base_language"]; rawjson.IsString(sent) && languageCode(rawjson.Unquote(sent)) != "" {
		return languageCode(rawjson.Unquote(sent))
	}
	if w.before != nil {
		if stored := languageCode(rawjson.Unquote(w.before.HostedValue("base_language"))); stored != "" {
			return stored
		}
	}
	return defaultLanguage
}

// checkLanguages refuses a base language that the survey is translated into already.
func (w *surveyWrite) checkLanguages() *field.Failure {
	base := languageCode(rawjson.Unquote(w.sent["base_language"]))
	if _, sent := w.sent["translations"]; sent || w.before == nil || base == "" {
		return nil
	}
	stored := w.before.HostedValue("translations")
	if !rawjson.IsObject(stored) {
		return nil
	}
	for _, m := range rawjson.PairsOf(stored) {
		if languageCode(m.Name) == base {
			return field.Invalid("invalid_input", "base_language", fmt.Sprintf("'%s' already exists as a translation key on this survey. "+
				"Remove the translation first, or pick a different base language.", rawjson.Unquote(w.sent["base_language"])))
		}
	}
	return nil
}
