package code

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// JSON is a JSON text as a call of jsonencode, keys sorted. A text that jsonencode
// cannot make, because it has a number with an exponent or one that Terraform rounds,
// or keys that differ in the spelling of a character alone, is written as it is.
func JSON(text string, depth int) hclwrite.Tokens {
	value, ok := ctyOfJSON(text)
	if !ok || !encodesTo(value, text) {
		return quoted(text)
	}
	return callOf("jsonencode", Literal(value, depth))
}

// ctyOfJSON reads JSON as Terraform's jsondecode would.
func ctyOfJSON(text string) (cty.Value, bool) {
	v, err := jsonvalue.Decode(text)
	if err != nil {
		return cty.NilVal, false
	}
	return valueOf(v)
}

func valueOf(v any) (cty.Value, bool) {
	switch v := v.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), true
	case bool:
		return cty.BoolVal(v), true
	case string:
		return cty.StringVal(v), true
	case json.Number:
		// jsonencode writes all digits, and an exponent may be why the provider keeps a
		// number as JSON.
		if len(v) >= longestNumber || strings.ContainsAny(v.String(), "eE") {
			return cty.NilVal, false
		}
		number, err := cty.ParseNumberVal(v.String())
		return number, err == nil
	case []any:
		elements := make([]cty.Value, len(v))
		for i := range v {
			var ok bool
			if elements[i], ok = valueOf(v[i]); !ok {
				return cty.NilVal, false
			}
		}
		return cty.TupleVal(elements), true
	case map[string]any:
		attributes := make(map[string]cty.Value, len(v))
		for key := range v {
			var ok bool
			if attributes[key], ok = valueOf(v[key]); !ok {
				return cty.NilVal, false
			}
		}
		return cty.ObjectVal(attributes), true
	}
	return cty.NilVal, false
}

// longestNumber is more digits than any number of a survey that means something, and
// fewer than Terraform rounds.
const longestNumber = 100

// encodesTo reports whether jsonencode makes of a value what a JSON text means.
func encodesTo(value cty.Value, text string) bool {
	encoded, err := stdlib.JSONEncode(value)
	return err == nil && attribute.SameJSON(encoded.AsString(), cty.NormalizeString(text))
}

// Literal is a value as a literal expression, with objects and long lists over
// several lines.
func Literal(value cty.Value, depth int) hclwrite.Tokens {
	switch typ := value.Type(); {
	case value.IsNull():
		return hclwrite.TokensForIdentifier("null")
	case typ == cty.String:
		return Text(value.AsString(), depth)
	case typ == cty.Number:
		return number(value.AsBigFloat())
	case typ.IsObjectType() || typ.IsMapType():
		return objectLiteral(value.AsValueMap(), depth)
	case typ.IsTupleType() || typ.IsListType():
		return listLiteral(value.AsValueSlice(), depth)
	}
	return hclwrite.TokensForValue(value)
}

// number writes the digits of a number, all of them. A sign is an operator of HCL.
func number(n *big.Float) hclwrite.Tokens {
	digits, negative := strings.CutPrefix(n.Text('f', -1), "-")
	tokens := hclwrite.Tokens{{Type: hclsyntax.TokenNumberLit, Bytes: []byte(digits)}}
	if negative {
		return append(hclwrite.Tokens{{Type: hclsyntax.TokenMinus, Bytes: []byte("-")}}, tokens...)
	}
	return tokens
}

func objectLiteral(attributes map[string]cty.Value, depth int) hclwrite.Tokens {
	named := make([]entry, 0, len(attributes))
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		named = append(named, entry{key, Literal(attributes[key], depth+1)})
	}
	return objectTokens(named)
}

// listLiteral writes a list of short scalars on one line.
func listLiteral(elements []cty.Value, depth int) hclwrite.Tokens {
	const longestLine = 80
	var inline []hclwrite.Tokens
	length := 0
	for _, element := range elements {
		if !element.IsNull() && !element.Type().IsPrimitiveType() {
			inline = nil
			break
		}
		// In a list a heredoc would need a line of its own for the comma.
		tokens := inlineLiteral(element)
		inline = append(inline, tokens)
		length += len(tokens.Bytes()) + len(", ")
	}
	if len(elements) == 0 || inline != nil && length < longestLine {
		return hclwrite.TokensForTuple(inline)
	}

	lines := make([]hclwrite.Tokens, len(elements))
	for i, element := range elements {
		if inline != nil || element.IsNull() || element.Type().IsPrimitiveType() {
			lines[i] = inlineLiteral(element)
		} else {
			lines[i] = Literal(element, depth+1)
		}
	}
	return listTokens(lines)
}

func inlineLiteral(value cty.Value) hclwrite.Tokens {
	if !value.IsNull() && value.Type() == cty.String {
		return quoted(value.AsString())
	}
	return Literal(value, 0)
}

// entry is a key of an object with its expression.
type entry struct {
	key    string
	tokens hclwrite.Tokens
}

// objectTokens writes an object, each key on a line of its own.
func objectTokens(entries []entry) hclwrite.Tokens {
	if len(entries) == 0 {
		return hclwrite.Tokens{symbol(hclsyntax.TokenOBrace, "{"), symbol(hclsyntax.TokenCBrace, "}")}
	}
	tokens := hclwrite.Tokens{symbol(hclsyntax.TokenOBrace, "{"), newline()}
	for _, one := range entries {
		tokens = append(tokens, keyTokens(one.key)...)
		tokens = append(tokens, symbol(hclsyntax.TokenEqual, "="))
		tokens = append(tokens, one.tokens...)
		tokens = append(tokens, newline())
	}
	return append(tokens, symbol(hclsyntax.TokenCBrace, "}"))
}

// listTokens writes a list, each element on a line of its own.
func listTokens(elements []hclwrite.Tokens) hclwrite.Tokens {
	tokens := hclwrite.Tokens{symbol(hclsyntax.TokenOBrack, "["), newline()}
	for _, element := range elements {
		tokens = append(tokens, element...)
		tokens = append(tokens, symbol(hclsyntax.TokenComma, ","), newline())
	}
	return append(tokens, symbol(hclsyntax.TokenCBrack, "]"))
}

// plainKey is a key that needs no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func keyTokens(name string) hclwrite.Tokens {
	// A first key "for" would begin a for expression.
	if plainKey.MatchString(name) && name != "for" {
		return hclwrite.TokensForIdentifier(name)
	}
	return quoted(name)
}

func symbol(kind hclsyntax.TokenType, text string) *hclwrite.Token {
	return &hclwrite.Token{Type: kind, Bytes: []byte(text)}
}

func newline() *hclwrite.Token { return symbol(hclsyntax.TokenNewline, "\n") }
