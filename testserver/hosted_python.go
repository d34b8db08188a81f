package testserver

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The hosted service is written in Python, and where it puts a value into a sentence
// without formatting it, the value has Python's spelling.

// pythonText is a value as str() writes it: texts as they are.
func pythonText(raw json.RawMessage) string {
	if rawjson.IsString(raw) {
		return rawjson.Unquote(raw)
	}
	return pythonRepr(raw)
}

// pythonRepr is a value as repr() writes it; an absent one is None.
func pythonRepr(raw json.RawMessage) string {
	var b strings.Builder
	writeRepr(&b, raw)
	return b.String()
}

func writeRepr(b *strings.Builder, raw json.RawMessage) {
	switch {
	case rawjson.IsNull(raw):
		b.WriteString("None")
	case raw[0] == 't':
		b.WriteString("True")
	case raw[0] == 'f':
		b.WriteString("False")
	case rawjson.IsString(raw):
		writeTextRepr(b, rawjson.Unquote(raw))
	case rawjson.IsArray(raw):
		b.WriteByte('[')
		for i, item := range rawjson.Items(raw) {
			if i > 0 {
				b.WriteString(", ")
			}
			writeRepr(b, item)
		}
		b.WriteByte(']')
	case rawjson.IsObject(raw):
		b.WriteByte('{')
		for i, m := range rawjson.PairsOf(raw) {
			if i > 0 {
				b.WriteString(", ")
			}
			writeTextRepr(b, m.Name)
			b.WriteString(": ")
			writeRepr(b, m.Value)
		}
		b.WriteByte('}')
	default:
		b.WriteString(pythonNumber(string(raw)))
	}
}

// writeTextRepr writes a text in single quotes, unless it has some and no double ones.
func writeTextRepr(b *strings.Builder, s string) {
	quotes := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quotes = '"'
	}

	b.WriteRune(quotes)
	for _, r := range s {
		switch {
		case r == quotes, r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
	}

	b.WriteRune(quotes)
}

// pythonNumber is a JSON number as Python writes it: whole ones with all their digits,
// others as the shortest decimal that reads back the same.
func pythonNumber(literal string) string {
	if literal == notANumber {
		return "nan"
	}

	if !strings.ContainsAny(literal, ".eE") {
		if literal == "-0" {
			return "0"
		}
		return literal
	}

	// What is too great for a float is infinite, which is what ParseFloat returns.
	x, _ := strconv.ParseFloat(literal, 64)
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}

	if size := math.Abs(x); x != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}

	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pythonDump is JSON as json.dumps writes it, with a blank behind commas and colons.
// Texts keep their spelling.
func pythonDump(raw json.RawMessage) string {
	var b strings.Builder
	for rest := []byte(raw); len(rest) > 0; {
		n := 1
		if rest[0] == '"' {
			n = rawjson.StringExtent(rest)
		}
		b.Write(rest[:n])
		if rest[0] == ',' || rest[0] == ':' {
			b.WriteByte(' ')
		}
		rest = rest[n:]
	}
	return b.String()
}

// pythonInt reads a whole number as int() does: a text that is one, a number without its
// fraction, a boolean as 1 or 0. It takes 62 bits.
func pythonInt(raw json.RawMessage) (int64, bool) {
	if rawjson.IsString(raw) {
		n, err := strconv.ParseInt(strings.ReplaceAll(trim(rawjson.Unquote(raw)), "_", ""), 10, 64)
		return n, err == nil
	}
	n, ok := number(raw)
	if !ok || math.Abs(n) > math.MaxInt64/2 {
		return 0, false
	}
	return int64(n), true
}

// pythonRounded is a number rounded to two places, as short as it gets with a point.
func pythonRounded(x float64) string {
	s := strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0")
	if strings.HasSuffix(s, ".") {
		return s + "0"
	}
	return s
}

// pythonTime is a time as str() writes it, in UTC.
func pythonTime(t time.Time, separator string) string {
	t = t.UTC().Truncate(time.Microsecond)
	form := "2006-01-02" + separator + "15:04:05"
	if t.Nanosecond() != 0 {
		form += ".000000"
	}
	return t.Format(form) + "+00:00"
}

// isTruthy reports whether the service takes a value for something: absent, null, false,
// zero and what is empty are nothing to it.
func isTruthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	n, ok := number(raw)
	return !ok || n != 0
}

// number reads a JSON number; true and false are numbers to the service.
func number(raw json.RawMessage) (float64, bool) {
	switch string(raw) {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}

// pythonStr is a value as the service puts it into a sentence.
func pythonStr(raw json.RawMessage) string {
	switch string(raw) {
	case "null":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if rawjson.IsString(raw) {
		return rawjson.Unquote(raw)
	}
	return string(raw)
}
