package evaluation

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// jsonText is the JSON of a value as the evaluator of the service, which is written in
// Rust, prints it: numbers in their shortest form, the members of objects by name.
func jsonText(raw json.RawMessage) string {
	switch kindOf(raw) {
	case nullKind:
		return "null"
	case trueKind:
		return "true"
	case falseKind:
		return "false"
	case numberKind:
		return numberText(string(raw))
	default:
		return string(appendJSON(nil, raw))
	}
}

func appendJSON(b []byte, raw json.RawMessage) []byte {
	switch kindOf(raw) {
	case textKind:
		return appendQuoted(b, rawjson.Unquote(raw))
	case arrayKind:
		b = append(b, '[')
		for i, item := range rawjson.Items(raw) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case objectKind:
		b = append(b, '{')
		members := rawjson.Members(raw)
		for i, name := range slices.Sorted(maps.Keys(members)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(appendQuoted(b, name), ':'), members[name])
		}
		return append(b, '}')
	default:
		return append(b, jsonText(raw)...)
	}
}

// shortEscapes are the characters that have an escape of one letter.
const shortEscapes = "\"\"\\\\\bb\ff\nn\rr\tt"

// appendQuoted escapes what JSON demands and nothing else.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		short := strings.IndexRune(shortEscapes, r)
		switch {
		case r < ' ' || r == '"' || r == '\\':
			if short >= 0 && short%2 == 0 {
				b = append(b, '\\', shortEscapes[short+1])
				continue
			}
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// numberText is a number in the form in which Rust prints it: integers by their digits,
// anything else with a point, or with an exponent where it has many digits.
func numberText(literal string) string {
	if !strings.ContainsAny(literal, ".eE") && literal != "-0" {
		if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
		if n, err := strconv.ParseUint(literal, 10, 64); err == nil {
			return strconv.FormatUint(n, 10)
		}
	}

	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return literal
	}
	return floatText(n)
}

func floatText(n float64) string {
	shortest := strconv.FormatFloat(n, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(shortest, "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		return shortest
	}

	// The decimal point stands behind this many digits.
	switch point := power + 1; {
	case point > 16 || point <= -5:
		return mantissa + "e" + strconv.Itoa(power)
	default:
		plain := strconv.FormatFloat(n, 'f', -1, 64)
		if !strings.Contains(plain, ".") {
			plain += ".0"
		}
		return plain
	}
}
