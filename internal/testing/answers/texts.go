package answers

import (
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// languages have the syllables of one language each. The second one has letters that Unicode
// can also write decomposed.
var languages = [][]string{
	strings.Fields("ba de fi go hu ka le mi no pu ra se ti vo zu cha pre sto"),
	strings.Fields("é lü mö té sö vé nü ré chö dé fü gé pö bü kré"),
	strings.Fields("да не по ко ру мы че ли та во ши зо ге бу"),
	strings.Fields("日 本 語 文 字 何 良 悪 使 用 時 間 品 質 価 格 人 名"),
}

const wordsOfText = 6

// words are those of a text. No two texts with different numbers are alike.
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

// newText returns a text unlike all others.
func (w *world) newText(t *rapid.T) string {
	w.texts++
	return strings.Join(words(w.texts, rapid.IntRange(0, len(languages)-1).Draw(t, "language")), " ")
}

// rewordOnce returns a text with another word.
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

// newContent returns content that a question of a type needs, and perhaps more.
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

// newQuestion returns a question unlike all others.
func (w *world) newQuestion(t *rapid.T) Question {
	kind := rapid.SampledFrom(types).Draw(t, "type")
	return Question{Who: w.newWho(), Type: kind, Text: w.newText(t), Content: w.newContent(t, kind)}
}
