package code

import (
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	// largest is far more than any configuration that people or exports write: an export of
	// 10,000 surveys has 20 MB.
	largest = 256 << 20
	// deepest is more brackets in each other than any expression has that means something.
	deepest = 500
	// deepestInTexts is more brackets than texts have that were never closed.
	deepestInTexts = 10_000
)

// CheckSource returns an error for what is not to be opened as a file of configuration. Files
// of a directory may come with a pull request of somebody else: a pipe would be waited on for
// ever, and the parser of HCL follows brackets by recursion, which overflows the stack.
func CheckSource(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() > largest:
		return fmt.Errorf("%s has %d MB, which is too large for a configuration", path, info.Size()>>20)
	}
	return nil
}

// ReadSource reads a file of configuration.
func ReadSource(path string) ([]byte, error) {
	if err := CheckSource(path); err != nil {
		return nil, err
	}
	source, err := os.ReadFile(path) //nolint:gosec // the directory that the user named
	if err != nil {
		return nil, err
	}
	if isTooDeep(source) {
		return nil, fmt.Errorf("%s nests more than %d brackets, which is too deep for a configuration", path, deepest)
	}
	return source, nil
}

// isTooDeep reports whether brackets are nested too deeply. Those in texts count only when
// all together are too many: to tell them apart takes as long as to parse.
func isTooDeep(source []byte) bool {
	depth, most := 0, 0
	for _, c := range source {
		depth += nesting(hclsyntax.TokenType(c))
		most = max(most, depth)
	}
	if most <= deepest || most > deepestInTexts {
		return most > deepest
	}

	depth = 0
	tokens, _ := hclsyntax.LexConfig(source, "", hcl.InitialPos) // the parser reports what is wrong
	for _, token := range tokens {
		depth += nesting(token.Type)
		if depth > deepest {
			return true
		}
	}
	return false
}

// nesting is by how much a bracket changes the depth. HCL's tokens for brackets have the
// numbers of their characters.
func nesting(token hclsyntax.TokenType) int {
	switch token {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		return 1
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
		return -1
	default:
		return 0
	}
}
