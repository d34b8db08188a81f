package answers

import (
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// languages contains syllables of several languages. The second one has letters that Unicode can also represent in
// decomposed form.
var languages = [][]string{
	syllables("b d f g h k l m n p r s t v z ch st pr kl w", "a e i o u ai ou"),
	syllables("b d f g h k l m n p r s t v z", "é ü ö a i"),
	syllables("б в г д ж з к л м н п р с т ч ш", "а е и о у ы"),
	strings.Fields("日 本 語 文 字 何 良 悪 使 用 時 間 品 質 価 格 人 名 食 飲 見 聞 話 読 書 行 来 帰 会 社 学 校 先 生 友 家 車 電 道 駅"),
}

func syllables(onsets, vowels string) []string {
	var result []string
	for onset := range strings.FieldsSeq(onsets) {
		for vowel := range strings.FieldsSeq(vowels) {
			result = append(result, onset+vowel)
		}
	}
	return result
}

const (
	wordsOfText = 6
	// unlikeTexts is the maximum share of a new text that any other text has in common with it.
	unlikeTexts = 0.4
)

// words returns the words of a text. Texts with different numbers are never similar.
func words(number uint64, language int) []string {
	random := rand.New(rand.NewPCG(number, uint64(language))) //nolint:gosec // a number repeats its text
	list := make([]string, wordsOfText)
	for i := range list {
		for range 2 + random.IntN(2) {
			list[i] += languages[language][random.IntN(len(languages[language]))]
		}
	}
	return list
}

// newText returns a text that is not similar to any other.
func (w *world) newText(t *rapid.T) string {
	return w.textInLanguage(rapid.IntRange(0, len(languages)-1).Draw(t, "language"))
}

func (w *world) textInLanguage(language int) string {
	for {
		w.texts++
		text := strings.Join(words(w.texts, language), " ")
		isLike := func(candidate string) bool { return similarity(text, candidate) >= unlikeTexts }
		if !slices.ContainsFunc(w.used, isLike) {
			w.used = append(w.used, text)
			return text
		}
	}
}

// rewordOnce returns a text with one changed word.
func (w *world) rewordOnce(t *rapid.T, text string) string {
	w.texts++
	list := strings.Fields(text)
	language := slices.IndexFunc(languages, func(syllables []string) bool {
		return slices.ContainsFunc(syllables, func(s string) bool { return strings.HasPrefix(composed.Replace(text), s) })
	})
	list[rapid.IntRange(0, len(list)-1).Draw(t, "word")] = words(w.texts, max(language, 0))[0]
	return strings.Join(list, " ")
}

var types = []string{"open", "open", "open", "single_choice", "rating", "link"}

// newContent returns content that a question of a type requires, and possibly more.
func (w *world) newContent(t *rapid.T, kind string) Content {
	w.texts++
	word := words(w.texts, 0)[0]
	content := Content{}
	switch kind {
	case "single_choice":
		content.Choices = "Yes|No " + word
	case "rating":
		content.Scale = rapid.SampledFrom([]int{5, 7, 10}).Draw(t, "scale")
		content.Label = "Not " + word
	case "link":
		content.Link = "https://example.com/" + word
	}

	switch rapid.IntRange(0, 5).Draw(t, "more content") {
	case 0, 1:
		content.Description = "About " + word
	case 2:
		content.German = "Deutsch " + word
	}
	return content
}

func (w *world) newWho() int {
	w.whos++
	return w.whos
}

// newQuestion returns a question that is not similar to any other.
func (w *world) newQuestion(t *rapid.T) Question {
	kind := rapid.SampledFrom(types).Draw(t, "type")
	return Question{Who: w.newWho(), Type: kind, Text: w.newText(t), Content: w.newContent(t, kind)}
}
