package identity

import (
	"fmt"
	"slices"
	"strings"
)

// The tests write a list of questions as "type:text/content#id ...":
//
//  - An underscore in a text represents a space. A text, type, or ID "*" is [Unknown].
//  - The content is the description "a", the choices "a+b", or "?" for unknown content. A question
//    without "/content" has [NoContent].
//  - A question without "#id" has no ID.
//
// Lists that are separated by " | " are versions, oldest first: a write, and then reads. A version
// that begins with "= " is another write.

func list(short string) []Question {
	known := func(word string) string {
		if word == "*" {
			return Unknown
		}
		return strings.ReplaceAll(word, "_", " ")
	}

	questions := []Question{}
	for word := range strings.FieldsSeq(short) {
		body, id, _ := strings.Cut(word, "#")
		body, content, _ := strings.Cut(body, "/")
		kind, text, _ := strings.Cut(body, ":")
		questions = append(questions, Question{ID: known(id), Type: known(kind), Text: known(text), Content: contentNamed(content)})
	}
	return questions
}

func contentNamed(name string) Content {
	switch {
	case name == "":
		return NoContent
	case name == "?":
		return ""
	case strings.Contains(name, "+"):
		choices := []any{}
		for choice := range strings.SplitSeq(name, "+") {
			choices = append(choices, choice)
		}
		return HashContent(map[string]any{"choices": choices})
	}
	return HashContent(map[string]any{"description": name})
}

// remembered returns the history of versions, and the last version's questions.
func remembered(short string) (h History, live []Question) {
	for v, version := range strings.Split(short, " | ") {
		written, isWritten := strings.CutPrefix(version, "= ")
		live = list(written)
		if isWritten || v == 0 {
			h = h.AfterWrite(live)
		} else {
			h = h.AfterRead(nil, live, false)
		}
	}
	return h, live
}

// spelled writes questions as their texts and IDs.
func spelled(list []Question) string {
	words := []string{}
	for _, q := range list {
		words = append(words, q.Text+q.ID)
	}
	return strings.Join(words, " ")
}

var ruleNames = map[Rule]string{New: "new", SameID: "id", Identical: "identical", SameText: "text", SimilarText: "similar", SamePosition: "position"}

// summaryOf writes a result as "ID:rule ...", with a question mark if the match is only possible. "-" is a new
// question, and "?A|B" are candidates. "@1" is the index in PostHog if the question there has no ID, or another one.
func summaryOf(pairs []Pair, live []Question) string {
	words := []string{}
	for _, pair := range pairs {
		word := pair.ID

		switch {
		case len(pair.Candidates) > 0:
			ids := []string{}
			for _, c := range pair.Candidates {
				ids = append(ids, c.ID)
			}
			slices.Sort(ids)
			word += "?" + strings.Join(ids, "|")
		case pair.Rule == New:
			word += "-"
		default:
			if pair.Index != IndexByID(live, pair.ID) {
				word += fmt.Sprintf("@%d", pair.Index)
			}
			word += ":" + ruleNames[pair.Rule]
		}

		if !pair.IsCertain && pair.Rule != New {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
