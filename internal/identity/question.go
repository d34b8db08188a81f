// Package identity decides which question is which. It matches the questions of two versions of a
// survey, remembers earlier versions, and finds answers that were detached because a save replaced
// the ID of their question.
//
// A question is compared by its ID, type, text, and content. A version is the list of questions at
// one point in time: at a write, at a read, or in the configuration. [Match] pairs the questions of
// two versions by five rules: same ID, identical, same text, similar text, and same position. Each
// rule considers only the questions that earlier rules left unpaired. A pair is certain if no other
// pairing is plausible. It is only possible if another question also fits, or if it depends on the
// position. Possible pairs are always reported. If several questions fit equally well, the question
// stays unpaired and has candidates.
//
// A [History] remembers the versions since the last write, and some before it. An entity is one
// question under all IDs and texts that it had; a record is the entity in one version.
// [History.AfterRead] compares the live questions with the previous version. If a question with a
// new ID certainly continues a missing question, its answers are detached, and both IDs belong to
// one entity from then on. [History.Detached] lists such questions, and those that have the ID of
// another one. [History.Match] matches a configuration with all records and returns the ID that each
// question keeps. It starts with the version from which the configuration was most likely written.
//
// The package works on plain values. It must not import Terraform types, send requests, or read
// files; callers convert their questions with [Question] and [HashContent]. Start reading at the
// table above [Match].
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

// Unknown is the ID, type, or text of a configured question if it isn't known before an apply. It
// equals nothing, not even itself.
const Unknown = "\x00unknown"

// Question contains the values by which questions are compared.
type Question struct {
	// ID is empty if the configuration does not set it, or if PostHog has not assigned one.
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
	// Content covers every other attribute that distinguishes questions.
	Content Content `json:"content,omitempty"`
}

// Content identifies a question's description, choices, scale, display, labels, link, validation,
// and translations. It is a sorted list of short hashes, one for each value and one for each part of
// a list or object, so that it can be stored and compared part by part. A question without content
// has [NoContent]. The empty Content is unknown: histories from earlier releases don't contain
// content.
type Content string

// NoContent is the content of a question that has only a type and a text.
const NoContent Content = "-"

// partLength is the length of one part's hash, in base64.
const partLength = 6

// contentNames lists the attributes that are content, in lower case without underscores, because PostHog
// writes lowerBoundLabel and Terraform lower_bound_label.
var contentNames = []string{"description", "choices", "scale", "display", "lowerboundlabel", "upperboundlabel", "link", "validation", "translations"}

// IsContent reports whether a PostHog or Terraform attribute is content.
func IsContent(name string) bool { return slices.Contains(contentNames, plainName(name)) }

func plainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// HashContent returns the content of a question that was decoded from JSON. It accepts PostHog's
// and Terraform's attribute names, and decodes JSON in text values.
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

// decodeText decodes a text that contains JSON, and returns any other value unchanged.
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

// appendParts appends hashes of a value and of each of its parts. The order of a list is a separate
// part, so that moving one choice changes only one hash.
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

// canonicalJSON returns a value as text. The result is empty if the value is unknown.
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

// parts counts a content's parts.
func (c Content) parts() int {
	if c == NoContent {
		return 0
	}
	return len(c) / partLength
}

// isKnown reports whether a content can be compared.
func (c Content) isKnown() bool { return c != "" }

// similarity returns the share of parts that two contents have in common, from 0 to 1. Unknown
// content counts as half similar to any other.
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

// IndexByID returns the index of the question with an ID, or -1.
func IndexByID(list []Question, id string) int {
	return slices.IndexFunc(list, func(q Question) bool { return id != "" && q.ID == id })
}

// has reports whether a list contains a question with an ID.
func has(list []Question, id string) bool { return IndexByID(list, id) >= 0 }

// WithoutIDs returns a copy of the questions without their IDs.
func WithoutIDs(list []Question) []Question {
	list = slices.Clone(list)
	for i := range list {
		list[i].ID = ""
	}
	return list
}

// ParseQuestions parses a list of questions as PostHog returns it. For null and empty input, it
// returns an empty list. ok is false for anything but a list of objects.
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

// NewQuestion converts a question that was decoded from JSON, with PostHog's or Terraform's
// attribute names. A type or text that is neither a string nor a number becomes [Unknown]. Such an
// ID becomes empty.
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

// WithID returns a question's JSON with another ID. All other values stay as they are.
func WithID(raw json.RawMessage, id string) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	fields["id"] = encoded
	return json.Marshal(fields)
}

// NewQuestions converts a list that was decoded from JSON. An element that isn't an object becomes
// the zero Question.
func NewQuestions(list []any) []Question {
	questions := make([]Question, len(list))
	for i, element := range list {
		if fields, ok := element.(map[string]any); ok {
			questions[i] = NewQuestion(fields)
		}
	}
	return questions
}
