package surveyevent

import (
	"encoding/json"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// untranslated is what the web interface writes into a translation that lacks a choice.
const untranslated = "[Translation needed]"

// choicesOf maps each choice of a question to itself, and each of its translations to the
// choice in the same place, if the translation has as many choices. A choice of the question
// wins over a translation of another that reads the same.
func choicesOf(question json.RawMessage) map[string]string {
	choices := listOf(rawjson.Lookup(question, "choices"))
	known := map[string]string{}

	if translations := rawjson.Lookup(question, "translations"); rawjson.IsObject(translations) {
		for _, texts := range rawjson.Each(translations) {
			translated := listOf(rawjson.Lookup(texts, "choices"))
			if len(translated) != len(choices) {
				continue
			}
			for i, choice := range translated {
				text := rawjson.Unquote(choice)
				if rawjson.IsString(choices[i]) && strings.TrimSpace(text) != "" && text != untranslated {
					known[text] = rawjson.Unquote(choices[i])
				}
			}
		}
	}

	for _, choice := range choices {
		if rawjson.IsString(choice) {
			known[rawjson.Unquote(choice)] = rawjson.Unquote(choice)
		}
	}
	return known
}

// listOf are the items of an array, none of another value.
func listOf(raw json.RawMessage) []json.RawMessage {
	if !rawjson.IsArray(raw) {
		return nil
	}
	return rawjson.List(raw)
}
