package code

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// JSON writes a JSON text as a jsonencode call with sorted keys. If jsonencode cannot produce the text,
// JSON writes the text itself. This is the case for numbers with an exponent, for numbers that Terraform
// rounds, and for keys that differ only in a character's encoding.
func JSON(text string, depth int) hclwrite.Tokens {
	value, err := jsonvalue.Decode(text)
	if err != nil || !isEncodable(value) {
		return quotedTokens(text)
	}
	return callTokens("jsonencode", Literal(value, depth, nil))
}

// isEncodable reports whether jsonencode can produce a value. jsonencode writes all digits of a number,
// but the provider may store a number with an exponent.
func isEncodable(value any) bool {
	switch value := value.(type) {
	case json.Number:
		return len(value) < longestNumber && !strings.ContainsAny(value.String(), "eE")
	case []any:
		return !slices.ContainsFunc(value, func(element any) bool { return !isEncodable(element) })
	case map[string]any:
		spelled := map[string]bool{}
		for key, element := range value {
			name := cty.NormalizeString(key)
			if spelled[name] || !isEncodable(element) {
				return false
			}
			spelled[name] = true
		}
	}
	return true
}

// longestNumber is a number of digits. No meaningful number in a survey has as many digits, and Terraform
// does not round numbers of this length.
const longestNumber = 100

// Literal writes a value as a literal expression, with objects and long lists on several lines. order
// is the order of the top-level object keys. Other keys follow alphabetically.
func Literal(value any, depth int, order []string) hclwrite.Tokens {
	switch value := value.(type) {
	case jsonvalue.Text:
		return JSON(string(value), depth)
	case string:
		return Text(value, depth)
	case bool:
		return hclwrite.TokensForValue(cty.BoolVal(value))
	case json.Number:
		return number(value)
	case map[string]any:
		entries := make([]entry, 0, len(value))
		for _, key := range sortByOrder(order, slices.Collect(maps.Keys(value))) {
			entries = append(entries, entry{key, Literal(value[key], depth+1, nil)})
		}
		return objectTokens(entries)
	case []any:
		return listLiteral(value, depth, order)
	}
	return hclwrite.TokensForIdentifier("null")
}

// number writes a number with all its digits. In HCL, a sign is an operator.
func number(n json.Number) hclwrite.Tokens {
	value, err := cty.ParseNumberVal(n.String())
	if err != nil {
		return quotedTokens(n.String())
	}
	digits, negative := strings.CutPrefix(value.AsBigFloat().Text('f', -1), "-")
	tokens := hclwrite.Tokens{{Type: hclsyntax.TokenNumberLit, Bytes: []byte(digits)}}
	if negative {
		return append(hclwrite.Tokens{{Type: hclsyntax.TokenMinus, Bytes: []byte("-")}}, tokens...)
	}
	return tokens
}

// listLiteral writes a list of short scalars on one line. It does not use heredocs, because a comma
// after a heredoc would need its own line.
func listLiteral(elements []any, depth int, order []string) hclwrite.Tokens {
	const longestLine = 80
	tokens := make([]hclwrite.Tokens, len(elements))
	length := 0
	for i, element := range elements {
		if text, ok := element.(string); ok {
			tokens[i] = quotedTokens(text)
		} else {
			tokens[i] = Literal(element, depth+1, order)
		}
		length += len(tokens[i].Bytes()) + len(", ")
	}
	if len(elements) == 0 || length < longestLine && !slices.ContainsFunc(elements, isNested) {
		return hclwrite.TokensForTuple(tokens)
	}
	return listTokens(tokens)
}

func isNested(value any) bool {
	switch value.(type) {
	case []any, map[string]any, jsonvalue.Text:
		return true
	}
	return false
}

// entry is an object key or a block argument, with its expression.
type entry struct {
	key    string
	tokens hclwrite.Tokens
}

// objectTokens writes an object with one key per line.
func objectTokens(entries []entry) hclwrite.Tokens {
	if len(entries) == 0 {
		return hclwrite.Tokens{symbol(hclsyntax.TokenOBrace, "{"), symbol(hclsyntax.TokenCBrace, "}")}
	}
	tokens := hclwrite.Tokens{symbol(hclsyntax.TokenOBrace, "{"), newline()}
	for _, e := range entries {
		tokens = append(tokens, keyTokens(e.key)...)
		tokens = append(tokens, symbol(hclsyntax.TokenEqual, "="))
		tokens = append(tokens, e.tokens...)
		tokens = append(tokens, newline())
	}
	return append(tokens, symbol(hclsyntax.TokenCBrace, "}"))
}

// listTokens writes a list with one element per line.
func listTokens(elements []hclwrite.Tokens) hclwrite.Tokens {
	tokens := hclwrite.Tokens{symbol(hclsyntax.TokenOBrack, "["), newline()}
	for _, element := range elements {
		tokens = append(tokens, element...)
		tokens = append(tokens, symbol(hclsyntax.TokenComma, ","), newline())
	}
	return append(tokens, symbol(hclsyntax.TokenCBrack, "]"))
}

// plainKey matches a key that does not need quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func keyTokens(name string) hclwrite.Tokens {
	// "for" as the first key would start a for expression.
	if plainKey.MatchString(name) && name != "for" {
		return hclwrite.TokensForIdentifier(name)
	}
	return quotedTokens(name)
}

func symbol(kind hclsyntax.TokenType, text string) *hclwrite.Token {
	return &hclwrite.Token{Type: kind, Bytes: []byte(text)}
}

func newline() *hclwrite.Token { return symbol(hclsyntax.TokenNewline, "\n") }
