package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	model "github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// plainValue converts a framework value to decoded JSON. A value that contains JSON becomes a
// [jsonvalue.Text]. It omits null attributes of an object.
func plainValue(value attr.Value) any {
	if value.IsNull() {
		return nil
	}

	switch value := value.(type) {
	case jsontypes.Normalized:
		return jsonvalue.Text(value.ValueString())
	case interface{ ValueString() string }:
		return value.ValueString()
	case types.Bool:
		return value.ValueBool()
	case types.Int64:
		return json.Number(value.String())
	case types.Number:
		return json.Number(value.ValueBigFloat().Text('f', -1))
	case types.List:
		elements := make([]any, 0, len(value.Elements()))
		for _, element := range value.Elements() {
			elements = append(elements, plainValue(element))
		}
		return elements
	case types.Map:
		return plainValues(value.Elements())
	case types.Object:
		attributes := plainValues(value.Attributes())
		maps.DeleteFunc(attributes, func(_ string, value any) bool { return value == nil })
		return attributes
	}

	panic("no literal for a " + value.String())
}

func plainValues(attributes map[string]attr.Value) map[string]any {
	values := make(map[string]any, len(attributes))
	for name, value := range attributes {
		values[name] = plainValue(value)
	}
	return values
}

// topLevel is the nesting depth of a resource block's arguments.
const topLevel = 1

// arguments returns the non-null attributes of a model in the model's order. override contains
// expressions that replace those of the attributes.
func arguments(source any, override map[string]hclwrite.Tokens) []entry {
	var out []entry
	for _, a := range model.OrderedFields(source) {
		tokens, special := override[a.Name]
		switch {
		case a.Value.IsNull():
		case special:
			out = append(out, entry{a.Name, tokens})
		default:
			out = append(out, entry{a.Name, Literal(plainValue(a.Value), topLevel, nil)})
		}
	}
	return out
}

// Text writes a string literal at a nesting depth. A text with several lines becomes a heredoc if the
// heredoc has exactly the same value. A heredoc ends with a line break, so a text without a final line
// break is quoted. At a negative depth, texts are always quoted.
func Text(text string, depth int) hclwrite.Tokens {
	if depth >= 0 && fitsHeredoc(text) {
		return heredoc(text, depth)
	}
	return quotedTokens(text)
}

// quotedTokens writes a quoted string literal. Terraform normalizes every string to NFC, so quotedTokens
// normalizes the literal as well.
func quotedTokens(text string) hclwrite.Tokens {
	tokens := hclwrite.TokensForValue(cty.StringVal(text))
	if !strings.ContainsAny(text, "$%") {
		return tokens
	}

	// HCL splits a literal at these two characters, and terraform fmt adds the widths of the parts. A
	// combining character after one of them therefore counts separately.
	pieces, _ := hclsyntax.LexExpression(tokens.Bytes(), "", hcl.InitialPos)
	read := make(hclwrite.Tokens, 0, len(pieces))
	for _, piece := range pieces {
		if piece.Type != hclsyntax.TokenEOF {
			read = append(read, &hclwrite.Token{Type: piece.Type, Bytes: piece.Bytes})
		}
	}
	return read
}

// fitsHeredoc reports whether a text with several lines has the same value in a heredoc, even after an
// editor removes trailing white space.
func fitsHeredoc(text string) bool {
	body, ends := strings.CutSuffix(text, "\n")
	if !ends || !strings.Contains(body, "\n") {
		return false
	}
	indented := true
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimRightFunc(line, unicode.IsSpace) != line || strings.ContainsFunc(line, isHidden) {
			return false
		}
		if line != "" && !strings.HasPrefix(line, " ") {
			indented = false
		}
	}
	// White space at the start of all lines would count as indentation.
	return !indented
}

// isHidden reports whether a character is invisible in a heredoc, or looks like another character.
func isHidden(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

// heredoc writes a text as an indented heredoc.
func heredoc(text string, depth int) hclwrite.Tokens {
	marker := "EOT"
	for n := 2; hasLine(text, marker); n++ {
		marker = fmt.Sprintf("EOT%d", n)
	}
	indent := strings.Repeat("  ", depth)

	tokens := hclwrite.Tokens{{Type: hclsyntax.TokenOHeredoc, Bytes: []byte("<<-" + marker + "\n")}}
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = indent + "  " + EscapeTemplate(line)
		}
		tokens = append(tokens, &hclwrite.Token{Type: hclsyntax.TokenStringLit, Bytes: []byte(line)})
	}
	return append(tokens, &hclwrite.Token{Type: hclsyntax.TokenCHeredoc, Bytes: []byte(indent + marker)})
}

// hasLine reports whether a line of the text would end a heredoc with this marker.
func hasLine(text, marker string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == marker {
			return true
		}
	}
	return false
}

// EscapeTemplate escapes a text that HCL would parse as a template.
func EscapeTemplate(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
}
