package hclfile

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// call writes the call of a function with one argument. TokensForFunctionCall would lay
// the argument out, and the file lays out all of it once more.
func call(function string, argument hclwrite.Tokens) hclwrite.Tokens {
	tokens := hclwrite.Tokens{
		{Type: hclsyntax.TokenIdent, Bytes: []byte(function)},
		{Type: hclsyntax.TokenOParen, Bytes: []byte{'('}},
	}
	tokens = append(tokens, argument...)
	return append(tokens, &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte{')'}})
}
