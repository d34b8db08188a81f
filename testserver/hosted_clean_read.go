package testserver

import (
	"bytes"
	"encoding/json"
)

// The answers to reading clean stored texts once more, those to writing do not. Both
// differ where markup was stored before it was cleaned, and where a question has an
// empty link. Because that is the same at every read, it is worked out when a survey
// is stored.

// cleanForReading works out how the fields of a survey read, as far as they read
// otherwise than they are stored.
func (s *survey) cleanForReading() {
	s.cleaned = nil
	for name, clean := range map[string]func(json.RawMessage) json.RawMessage{
		"questions": readQuestions, "appearance": readAppearance, "translations": readTranslations,
	} {
		stored := s.hostedValue(name)
		if !mayReadOtherwise(stored) {
			continue
		}
		if read := clean(stored); !bytes.Equal(read, stored) {
			if s.cleaned == nil {
				s.cleaned = fields{}
			}
			s.cleaned[name] = read
		}
	}
}

// mayReadOtherwise reports whether JSON holds what cleaning changes: markup, the
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
	if !isObject(raw) {
		return raw
	}
	return cleanAppearance(pairsOf(raw)).json()
}

// readTranslations cleans the texts of each language.
func readTranslations(raw json.RawMessage) json.RawMessage {
	return eachLanguage(raw, func(texts pairs) pairs { return cleanNamed(texts, surveyTexts) })
}

func eachLanguage(raw json.RawMessage, clean func(pairs) pairs) json.RawMessage {
	if !isObject(raw) {
		return raw
	}
	languages := pairsOf(raw)
	for i, m := range languages {
		if isObject(m.value) {
			languages[i].value = clean(pairsOf(m.value)).json()
		}
	}
	return languages.json()
}

func readQuestions(raw json.RawMessage) json.RawMessage {
	if !isList(raw) {
		return raw
	}
	questions := listOf(raw)
	for i, item := range questions {
		if !isObject(item) {
			continue
		}
		question := readQuestion(pairsOf(item))
		if all := question.get("translations"); all != nil {
			question = question.with("translations", eachLanguage(all, readQuestion))
		}
		questions[i] = question.json()
	}
	return listJSON(questions)
}

// readQuestion cleans the texts of a question, or of its translation, and leaves out a
// link that is none.
func readQuestion(texts pairs) pairs {
	texts = cleanNamed(texts, questionTexts)
	if choices := texts.get("choices"); isList(choices) {
		items := listOf(choices)
		for i, item := range items {
			if isText(item) {
				items[i] = cleanText(item)
			}
		}
		texts = texts.with("choices", listJSON(items))
	}
	if link := texts.get("link"); link != nil {
		if !isText(link) || checkLink(unquote(link)) != nil {
			return texts.without("link")
		}
		texts = texts.with("link", cleanText(link))
	}
	return texts
}

// cleanNamed cleans the texts with one of the names.
func cleanNamed(texts pairs, names []string) pairs {
	for _, name := range names {
		if value := texts.get(name); isText(value) {
			texts = texts.with(name, cleanText(value))
		}
	}
	return texts
}
