package python

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Str is a value as str() writes it: texts as they are.
func Str(raw json.RawMessage) string {
	if rawjson.IsString(raw) {
		return rawjson.Unquote(raw)
	}
	return Repr(raw)
}

// Repr is a value as repr() writes it; an absent one is None.
func Repr(raw json.RawMessage) string {
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
		b.WriteString(NumberText(string(raw)))
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

// Dump is JSON as json.dumps writes it, with a blank behind commas and colons.
// Texts keep their spelling.
func Dump(raw json.RawMessage) string {
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

// Inline is a value as the service puts it into a sentence.
func Inline(raw json.RawMessage) string {
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
