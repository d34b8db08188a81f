package service

import (
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/htmlclean"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// cleanText removes markup that PostHog considers dangerous.
func cleanText(text wire.Value) wire.Value {
	cleaned := htmlclean.Clean(text.Text())
	if cleaned == text.Text() {
		return text
	}
	return wire.NewText(cleaned)
}

// cleanMembers cleans the named texts. It does not change values of other types.
func cleanMembers(texts wire.Value, names []string) wire.Value {
	for _, name := range names {
		if value := texts.Get(name); value.IsText() {
			texts = texts.With(name, cleanText(value))
		}
	}
	return texts
}

// PostHog cleans stored texts again when they are read, but not in the response to a write. The two differ
// if markup was stored before PostHog cleaned it, or if a question has an empty link.

// CleanField returns the value of a stored field with clean texts.
func CleanField(s *store.Survey, name string) wire.Value {
	stored := s.Value(name)
	clean, exists := cleaners[name]
	if !exists || !mayReadOtherwise(stored) {
		return stored
	}
	return clean(stored)
}

// cleaners maps fields with texts to functions that clean them.
var cleaners = map[string]func(wire.Value) wire.Value{
	"questions":  readQuestions,
	"appearance": func(appearance wire.Value) wire.Value { return cleanMembers(appearance, appearanceTexts) },
	"translations": func(translations wire.Value) wire.Value {
		return eachLanguage(translations, func(texts wire.Value) wire.Value { return cleanMembers(texts, surveyTexts) })
	},
}

// mayReadOtherwise reports whether cleaning may change a JSON value, because it contains markup, a NUL
// character, or a link.
func mayReadOtherwise(stored wire.Value) bool {
	return slices.ContainsFunc([]string{"<", `\u00`, `"link"`}, func(sign string) bool { return strings.Contains(stored.Spelling(), sign) })
}

func eachLanguage(translations wire.Value, clean func(wire.Value) wire.Value) wire.Value {
	if !translations.IsObject() {
		return translations
	}
	languages := translations.Members()
	for i, m := range languages {
		if m.IsObject() {
			languages[i].Value = clean(m.Value)
		}
	}
	return wire.NewObject(languages...)
}

func readQuestions(list wire.Value) wire.Value {
	if !list.IsArray() {
		return list
	}
	questions := list.Items()
	for i, item := range questions {
		if !item.IsObject() {
			continue
		}
		questions[i] = readQuestion(item)
		if translated := item.Get("translations"); !translated.IsAbsent() {
			questions[i] = questions[i].With("translations", eachLanguage(translated, readQuestion))
		}
	}
	return wire.NewArray(questions...)
}

// readQuestion cleans the texts of a question or of its translation. It omits an invalid link.
func readQuestion(texts wire.Value) wire.Value {
	texts = cleanMembers(texts, questionTexts)
	if choices := texts.Get("choices"); choices.IsArray() {
		items := choices.Items()
		for i, item := range items {
			if item.IsText() {
				items[i] = cleanText(item)
			}
		}
		texts = texts.With("choices", wire.NewArray(items...))
	}
	if link := texts.Get("link"); !link.IsAbsent() {
		if !link.IsText() || checkLink(link.Text()) != nil {
			return texts.Without("link")
		}
		texts = texts.With("link", cleanText(link))
	}
	return texts
}
