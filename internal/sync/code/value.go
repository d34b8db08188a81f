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

// plainValue is a value of the framework as JSON is decoded; what holds JSON is a [jsonvalue.Text].
// Attributes of an object that are null are left out.
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

// topLevel is the depth of an argument of a resource block.
const topLevel = 1

// arguments are the attributes of a model that are not null, in its order. Those in
// written have an expression of their own.
func arguments(source any, override map[string]hclwrite.Tokens) []entry {
	var out []entry
	for _, a := range model.Ordered(source) {
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

// Text is a string literal at a depth of nesting: in quotes, or as a heredoc where
// the text has several lines and a heredoc says exactly the same. A heredoc ends with
// a line break, so a text that does not is written in quotes. So is any text at a depth
// below 0.
func Text(text string, depth int) hclwrite.Tokens {
	if depth >= 0 && fitsHeredoc(text) {
		return heredoc(text, depth)
	}
	return quotedTokens(text)
}

// quotedTokens is a string literal in quotes. Terraform composes characters (NFC) in every
// string, so the literal does, too.
func quotedTokens(text string) hclwrite.Tokens {
	tokens := hclwrite.TokensForValue(cty.StringVal(text))
	if !strings.ContainsAny(text, "$%") {
		return tokens
	}

	// HCL reads a literal in pieces that begin at these two, and terraform fmt adds up the
	// widths of the pieces: a combining character after one of them counts by itself.
	pieces, _ := hclsyntax.LexExpression(tokens.Bytes(), "", hcl.InitialPos)
	read := make(hclwrite.Tokens, 0, len(pieces))
	for _, piece := range pieces {
		if piece.Type != hclsyntax.TokenEOF {
			read = append(read, &hclwrite.Token{Type: piece.Type, Bytes: piece.Bytes})
		}
	}
	return read
}

// fitsHeredoc reports whether a text of several lines is the same in a heredoc, also
// after an editor has removed blanks at the ends of lines.
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
	// The blanks that all lines begin with would be taken for the indentation.
	return !indented
}

// isHidden reports whether a character cannot be seen in a heredoc, or not be distinguished
// from another one.
func isHidden(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

// heredoc is a text as an indented heredoc.
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

// hasLine reports whether a heredoc with the marker would end too early.
func hasLine(text, marker string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == marker {
			return true
		}
	}
	return false
}

// EscapeTemplate keeps a text from being taken for a template.
func EscapeTemplate(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
}
