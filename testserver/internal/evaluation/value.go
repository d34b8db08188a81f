package evaluation

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// value is a JSON value in the forms in which operators compare it.
type value struct {
	kind kind
	// text is what a string says, and the JSON of anything else.
	text string
	// items are the items of an array.
	items []value
}

// kind is the type of a JSON value.
type kind byte

const (
	nullKind kind = iota
	trueKind
	falseKind
	numberKind
	textKind
	arrayKind
	objectKind
)

func kindOf(raw json.RawMessage) kind {
	if len(raw) == 0 {
		return nullKind
	}
	switch raw[0] {
	case 'n':
		return nullKind
	case 't':
		return trueKind
	case 'f':
		return falseKind
	case '"':
		return textKind
	case '[':
		return arrayKind
	case '{':
		return objectKind
	}
	return numberKind
}

func valueOf(raw json.RawMessage) value {
	v := value{kind: kindOf(raw)}
	if v.kind == textKind {
		v.text = rawjson.Unquote(raw)
		return v
	}

	v.text = jsonText(raw)
	if v.kind == arrayKind {
		for _, item := range rawjson.Items(raw) {
			v.items = append(v.items, valueOf(item))
		}
	}
	return v
}

// isSwitch reports whether a value is a boolean, the word for one, or a list of nothing
// else. The empty list is one too.
func (v value) isSwitch() bool {
	switch v.kind {
	case trueKind, falseKind:
		return true
	case textKind:
		word := lower(v.text)
		return word == "true" || word == "false"
	case arrayKind:
		for _, item := range v.items {
			if !item.isSwitch() {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// isOn reports whether a value is true, the word for it, or a list of nothing else.
func (v value) isOn() bool {
	switch v.kind {
	case trueKind:
		return true
	case textKind:
		return lower(v.text) == "true"
	case arrayKind:
		for _, item := range v.items {
			if !item.isOn() {
				return false
			}
		}
		return true
	default:
		return false
	}
}
