package page

import (
	"maps"
	"slices"
)

// Translation are the texts of a question in another language.
type Translation struct {
	Language string
	Texts    []Fact
}

// translationsOf reads the texts by language. What has another form can be seen in the JSON.
func translationsOf(stored any) []Translation {
	byLanguage, ok := stored.(map[string]any)
	if !ok {
		return nil
	}

	var translations []Translation
	for _, language := range slices.Sorted(maps.Keys(byLanguage)) {
		texts, ok := byLanguage[language].(map[string]any)
		if !ok {
			continue
		}
		translation := Translation{Language: language}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			values, ok := texts[name].([]any)
			if !ok {
				values = []any{texts[name]}
			}
			for _, value := range values {
				translation.Texts = append(translation.Texts, Fact{Name: name, Value: text(value)})
			}
		}
		translations = append(translations, translation)
	}
	return translations
}
