package testserver

import (
	"bytes"
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Responses to reads clean stored texts once more, responses to writes do not. The two differ
// if markup was stored before it was cleaned, and if a question has an empty link. Since
// the result is the same for every read, it is computed when a survey is stored.

// cleanForReading computes the fields of a survey that reads return in another form than
// they are stored.
func cleanForReading(s *store.Survey) {
	s.Cleaned = nil
	for name, clean := range map[string]func(json.RawMessage) json.RawMessage{
		"questions": readQuestions, "appearance": readAppearance, "translations": readTranslations,
	} {
		stored := s.HostedValue(name)
		if !mayReadOtherwise(stored) {
			continue
		}
		if read := clean(stored); !bytes.Equal(read, stored) {
			if s.Cleaned == nil {
				s.Cleaned = rawjson.Fields{}
			}
			s.Cleaned[name] = read
		}
	}
}

// mayReadOtherwise reports whether JSON has something that cleaning changes: markup, the
// character 0, or a link.
func mayReadOtherwise(raw json.RawMessage) bool {
	for _, sign := range []string{"<", `\u00`, `"link"`} {
		if bytes.Contains(raw, []byte(sign)) {
			return true
		}
	}
	return false
}

func readAppearance(raw json.RawMessage) json.RawMessage {
	if !rawjson.IsObject(raw) {
		return raw
	}
	return cleanAppearance(rawjson.PairsOf(raw)).JSON()
}

// readTranslations cleans the texts of each language.
func readTranslations(raw json.RawMessage) json.RawMessage {
	return eachLanguage(raw, func(texts rawjson.Pairs) rawjson.Pairs { return cleanNamed(texts, surveyTexts) })
}

func eachLanguage(raw json.RawMessage, clean func(rawjson.Pairs) rawjson.Pairs) json.RawMessage {
	if !rawjson.IsObject(raw) {
		return raw
	}
	languages := rawjson.PairsOf(raw)
	for i, m := range languages {
		if rawjson.IsObject(m.Value) {
			languages[i].Value = clean(rawjson.PairsOf(m.Value)).JSON()
		}
	}
	return languages.JSON()
}

func readQuestions(raw json.RawMessage) json.RawMessage {
	if !rawjson.IsArray(raw) {
		return raw
	}
	questions := rawjson.List(raw)
	for i, item := range questions {
		if !rawjson.IsObject(item) {
			continue
		}
		question := readQuestion(rawjson.PairsOf(item))
		if all := question.Get("translations"); all != nil {
			question = question.With("translations", eachLanguage(all, readQuestion))
		}
		questions[i] = question.JSON()
	}
	return rawjson.Array(questions)
}

// readQuestion cleans the texts of a question, or of its translation, and omits an invalid
// link.
func readQuestion(texts rawjson.Pairs) rawjson.Pairs {
	texts = cleanNamed(texts, questionTexts)
	if choices := texts.Get("choices"); rawjson.IsArray(choices) {
		items := rawjson.List(choices)
		for i, item := range items {
			if rawjson.IsString(item) {
				items[i] = cleanText(item)
			}
		}
		texts = texts.With("choices", rawjson.Array(items))
	}
	if link := texts.Get("link"); link != nil {
		if !rawjson.IsString(link) || checkLink(rawjson.Unquote(link)) != nil {
			return texts.Without("link")
		}
		texts = texts.With("link", cleanText(link))
	}
	return texts
}

// cleanNamed cleans the texts with one of the names.
func cleanNamed(texts rawjson.Pairs, names []string) rawjson.Pairs {
	for _, name := range names {
		if value := texts.Get(name); rawjson.IsString(value) {
			texts = texts.With(name, cleanText(value))
		}
	}
	return texts
}
