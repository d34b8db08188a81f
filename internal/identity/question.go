// Package identity decides which question is which: which question of one version of a survey is
// which one of another version, what is remembered of earlier versions, and which answers are
// detached since a save replaced the ID of a question.
//
// A question is compared by its ID, type, text, and content. A version is a list of questions at one
// point in time: a write, a read, the configuration. [Match] pairs the questions of two versions by five
// rules, of which each considers what the rules before it left over: the same ID, equal in everything,
// the same text, a similar text, the same position. A pair is certain if nothing else can be meant. It is
// only possible where another question may be the one, or where a position alone shows it, and a possible
// pair is always reported. Where several are as likely, nothing is paired: the question has candidates.
//
// A [History] remembers the versions since the last write, and one before it. In them, an entity is one
// question under whatever IDs and texts it had; a record is what it was in one version.
// [History.AfterRead] compares what PostHog holds with the version before. A question with a new ID that
// is certainly one that went has detached answers, and both IDs are of one entity from then on.
// [History.Match] matches a configuration with all records, those of the version that it was most likely
// written from first, and returns the ID that each question keeps.
//
// The package holds plain values. It must not know Terraform types, send requests, or read files; a
// caller converts its questions with [Question] and [ContentOf]. Start reading at the table above [Match].
package identity

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// Unknown is the ID, type, or text of a configured question that isn't known before an apply. It
// is equal to nothing.
const Unknown = "\x00unknown"

// Question is what a question is compared by.
type Question struct {
	// ID is empty where the configuration states none, or PostHog holds none.
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
	// Content is everything else that makes a question another one.
	Content Content `json:"content,omitempty"`
}

// Content is what a question contains besides its type and text: description, choices, scale,
// display, labels, link, validation, and translations. It is a sorted list of short hashes, one
// for each value and one for each part of a list or object, so that it can be stored and the
// share of parts in common can be computed. A question without content has [NoContent]; the empty
// Content is one that isn't known, as in what earlier releases remembered.
type Content string

// NoContent is the content of a question that has a type and a text alone.
const NoContent Content = "-"

// partLength is the length of the hash of one part, in base64.
const partLength = 6

// contentNames are the attributes that are content, spelled without capitals and underscores:
// PostHog writes lowerBoundLabel, Terraform lower_bound_label.
var contentNames = []string{"description", "choices", "scale", "display", "lowerboundlabel", "upperboundlabel", "link", "validation", "translations"}

// IsContent reports whether an attribute of PostHog or of Terraform is content.
func IsContent(name string) bool { return slices.Contains(contentNames, plainName(name)) }

func plainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// HashContent returns the content of a question that was decoded from JSON, with the names of
// PostHog or of Terraform. JSON in a text is read as JSON.
func HashContent(fields map[string]any) Content {
	var parts []string
	for name, value := range fields { // the parts are sorted below
		if IsContent(name) {
			name = plainName(name)
			parts = appendParts(parts, name, decodeText(name, value))
		}
	}
	if len(parts) == 0 {
		return NoContent
	}

	slices.Sort(parts)
	return Content(strings.Join(slices.Compact(parts), ""))
}

// decodeText is a value that may be JSON in a text.
func decodeText(name string, value any) any {
	switch text := value.(type) {
	case jsonvalue.Text:
		if inner, err := jsonvalue.Decode(text); err == nil {
			return inner
		}
	case string:
		if inner, err := jsonvalue.Decode(text); err == nil && name == "translations" {
			return inner
		}
	}
	return value
}

// appendParts appends a hash for a value, and for each of its parts. The order of a list is a
// part by itself: a choice that moves leaves the others as they are.
func appendParts(parts []string, path string, value any) []string {
	if jsonvalue.IsEmpty(value) {
		return parts
	}

	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if key = strings.ReplaceAll(strings.ToLower(key), "_", "-"); key != "" {
				parts = appendParts(parts, path+"."+key, inner)
			}
		}
		return parts
	case []any:
		var order strings.Builder
		for _, inner := range value {
			text := canonicalJSON(inner)
			parts = append(parts, hashPart(path+"[]="+text))
			order.WriteString(text + "\x00")
		}
		return append(parts, hashPart(path+"="+order.String()))
	}
	if text := canonicalJSON(value); text != "" {
		parts = append(parts, hashPart(path+"="+text))
	}
	return parts
}

// canonicalJSON is a value as text; empty for one that isn't known.
func canonicalJSON(value any) string {
	switch value := value.(type) {
	case string:
		return markup.Canonical(value)
	case json.Number:
		if float, err := value.Float64(); err == nil {
			return fmt.Sprint(float)
		}
	case bool, int, int64, float64, map[string]any, []any:
	default:
		return ""
	}

	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

func hashPart(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))[:partLength]
}

// parts is the number of parts of a content.
func (c Content) parts() int {
	if c == NoContent {
		return 0
	}
	return len(c) / partLength
}

// isKnown reports whether a content can be compared.
func (c Content) isKnown() bool { return c != "" }

// similarity is the share of parts that two contents have in common, from 0 to 1. One that isn't
// known is half like every other one.
func (c Content) similarity(d Content) float64 {
	switch {
	case !c.isKnown() || !d.isKnown():
		return 0.5
	case c == d:
		return 1
	}

	common := 0
	a, b := string(c), string(d)
	for len(a) >= partLength && len(b) >= partLength {
		switch strings.Compare(a[:partLength], b[:partLength]) {
		case 0:
			common, a, b = common+1, a[partLength:], b[partLength:]
		case -1:
			a = a[partLength:]
		default:
			b = b[partLength:]
		}
	}
	return 2 * float64(common) / float64(c.parts()+d.parts())
}

// IndexByID returns the index of the question with an ID, -1 for none.
func IndexByID(list []Question, id string) int {
	return slices.IndexFunc(list, func(q Question) bool { return id != "" && q.ID == id })
}

// has reports whether a list has a question with an ID.
func has(list []Question, id string) bool { return IndexByID(list, id) >= 0 }

// WithoutIDs returns the questions of a list with no ID.
func WithoutIDs(list []Question) []Question {
	list = slices.Clone(list)
	for i := range list {
		list[i].ID = ""
	}
	return list
}

// ParseQuestions reads a list of questions as PostHog has it; none for null and for no JSON. It returns
// false for anything but a list of objects.
func ParseQuestions(raw []byte) (list []Question, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	value, err := jsonvalue.Decode(raw)
	if err != nil {
		return nil, false
	}
	elements, isList := value.([]any)
	if !isList {
		return nil, value == nil
	}

	for _, element := range elements {
		fields, isObject := element.(map[string]any)
		if !isObject {
			return nil, false
		}
		list = append(list, NewQuestion(fields))
	}
	return list, true
}

// NewQuestion is a question that was decoded from JSON, with the names of PostHog or of Terraform. An
// ID that isn't a text or a number is none; such a type or text is [Unknown].
func NewQuestion(fields map[string]any) Question {
	text := func(name string) string {
		switch value := fields[name].(type) {
		case nil, string, json.Number:
			return jsonvalue.String(value)
		}
		return Unknown
	}

	q := Question{ID: text("id"), Type: text("type"), Text: text("question"), Content: HashContent(fields)}
	q.ID = statedID(q)
	return q
}

// NewQuestions are the questions in a list that was decoded from JSON. An element that is no object
// is the zero Question.
func NewQuestions(list []any) []Question {
	questions := make([]Question, len(list))
	for i, element := range list {
		if fields, ok := element.(map[string]any); ok {
			questions[i] = NewQuestion(fields)
		}
	}
	return questions
}
