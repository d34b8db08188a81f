package answers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Question is a question in the configuration or in PostHog.
type Question struct {
	// Who identifies the question in the model. Adapters must not read it.
	Who int
	// ID is the ID in the configuration or in PostHog, or "" if there is none.
	ID         string
	Type, Text string
	Content    Content
}

// Content is everything that respondents see of a question except its text.
type Content struct {
	Description string
	// Choices contains the choices, separated by vertical bars.
	Choices string
	Scale   int
	Label   string
	Link    string
	// German is the German translation of the text.
	German string
}

// String formats a question for the log of a failed sequence.
func (q Question) String() string {
	text := fmt.Sprintf("#%d %s %q", q.Who, q.Type, q.Text)
	if content := strings.Trim(fmt.Sprint(q.Content), "{ }"); content != "0" {
		text += " (" + content + ")"
	}
	if q.ID != "" {
		text += " id=" + q.ID
	}
	return text
}

// composed replaces decomposed letters, because texts are compared in Unicode NFC.
var composed = strings.NewReplacer("e\u0301", "\u00e9", "u\u0308", "\u00fc", "o\u0308", "\u00f6")

// decomposed replaces composed letters with their Unicode NFD form.
var decomposed = strings.NewReplacer("\u00e9", "e\u0301", "\u00fc", "u\u0308", "\u00f6", "o\u0308")

// isAlike reports whether two questions have the same type and text.
func (q Question) isAlike(r Question) bool {
	return q.Type == r.Type && composed.Replace(q.Text) == composed.Replace(r.Text)
}

// isEqual reports whether two questions are equal except for their IDs.
func (q Question) isEqual(r Question) bool {
	return q.isAlike(r) && q.Content == r.Content
}

// isSimilar reports whether two questions have the same type and at least the given share of their texts in common.
func (q Question) isSimilar(r Question, share float64) bool {
	return q.Type == r.Type && similarity(composed.Replace(q.Text), composed.Replace(r.Text)) >= share
}

// similarity returns the share of letter pairs that two texts have in common.
func similarity(a, b string) float64 {
	pairs := map[[2]rune]int{}
	for side, text := range []string{a, b} {
		letters := []rune(text)
		for i := range len(letters) - 1 {
			pairs[[2]rune{letters[i], letters[i+1]}] |= 1 << side
		}
	}

	shared, total := 0, 0
	for _, sides := range pairs {
		if sides == 3 {
			shared++
			total++
		}
		total++
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}

func findQuestion(list []Question, key int) int {
	return slices.IndexFunc(list, func(q Question) bool { return q.Who == key })
}

func indexOfID(list []Question, id string) int {
	return slices.IndexFunc(list, func(q Question) bool { return q.ID == id && id != "" })
}

// isSameList reports whether two lists contain equal questions in the same order, ignoring IDs.
func isSameList(a, b []Question) bool { return slices.EqualFunc(a, b, Question.isEqual) }

// formatQuestions formats a list for the log of a failed sequence. It shortens a long list.
func formatQuestions(list []Question) string {
	const most = 12
	var lines strings.Builder
	for i, q := range list {
		if i == most {
			fmt.Fprintf(&lines, "\n    and %d more", len(list)-most)
			break
		}
		fmt.Fprintf(&lines, "\n    %s", q)
	}
	return lines.String()
}

// Wire returns the question in PostHog's API format.
func (q Question) Wire() map[string]any {
	wire := q.fields("lowerBoundLabel")
	if q.Content.German != "" {
		wire["translations"] = map[string]any{"de": map[string]any{"question": q.Content.German}}
	}
	return wire
}

// Attributes returns the question in Terraform configuration format.
func (q Question) Attributes() map[string]any {
	attributes := q.fields("lower_bound_label")
	if q.Content.German != "" {
		text, _ := json.Marshal(map[string]any{"de": map[string]any{"question": q.Content.German}})
		attributes["translations"] = string(text)
	}
	return attributes
}

func (q Question) fields(label string) map[string]any {
	fields := map[string]any{"type": q.Type, "question": q.Text}
	for name, value := range map[string]string{"id": q.ID, "description": q.Content.Description, label: q.Content.Label, "link": q.Content.Link} {
		if value != "" {
			fields[name] = value
		}
	}
	if q.Content.Choices != "" {
		choices := []any{}
		for choice := range strings.SplitSeq(q.Content.Choices, "|") {
			choices = append(choices, choice)
		}
		fields["choices"] = choices
	}
	if q.Content.Scale != 0 {
		fields["scale"], fields["display"] = q.Content.Scale, "number"
	}
	return fields
}

// FromFields returns the question for PostHog API fields or Terraform attributes.
func FromFields(fields map[string]any) Question {
	text := func(names ...string) string {
		for _, name := range names {
			if value, ok := fields[name].(string); ok {
				return value
			}
		}
		return ""
	}

	q := Question{ID: text("id"), Type: text("type"), Text: text("question")}
	q.Content = Content{Description: text("description"), Label: text("lowerBoundLabel", "lower_bound_label"), Link: text("link")}
	if scale := fields["scale"]; scale != nil {
		_, _ = fmt.Sscan(fmt.Sprint(scale), &q.Content.Scale)
	}
	choices, _ := fields["choices"].([]any)
	for i, choice := range choices {
		q.Content.Choices += strings.Repeat("|", min(i, 1)) + fmt.Sprint(choice)
	}

	translations, _ := fields["translations"].(map[string]any)
	if encoded := text("translations"); encoded != "" {
		_ = json.Unmarshal([]byte(encoded), &translations)
	}
	german, _ := translations["de"].(map[string]any)
	q.Content.German, _ = german["question"].(string)
	return q
}
