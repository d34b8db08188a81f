package code

import (
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	// largest is far more than any configuration that people or exports write: an export of
	// 10,000 surveys has 20 MB.
	largest = 256 << 20
	// deepest is more brackets in each other than any expression has that means something.
	deepest = 500
	// longestChain is the same for operators of which each has the rest as its operand.
	longestChain = 10_000
)

// CheckSource returns an error for what is not to be opened as a file of configuration. Files
// of a directory may come with a pull request of somebody else: a pipe would be waited on for
// ever, and the parser of HCL follows brackets and operators by recursion, which overflows the stack.
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
		return nil, fmt.Errorf("%s nests more than %d brackets or %d operators, which is too deep for a configuration", path, deepest, longestChain)
	}
	return source, nil
}

// ReadForReplacement reads a file that is about to be replaced. Nothing can be read from a pipe before
// it is written, and /dev/stdout may be one.
func ReadForReplacement(path string) ([]byte, error) {
	if err := CheckSource(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // the file that the user named
}

// isTooDeep reports whether brackets, or operators that take the rest of an expression, are
// nested too deeply.
func isTooDeep(source []byte) bool {
	// Few files have enough of either, in texts and comments as well, to be worth the tokens.
	depth, deepestLevel, operators := 0, 0, 0
	for _, c := range source {
		depth += nesting(hclsyntax.TokenType(c))
		deepestLevel = max(deepestLevel, depth)
		if strings.IndexByte("!-?%", c) >= 0 {
			operators++
		}
	}
	if deepestLevel <= deepest && operators <= longestChain {
		return false
	}

	// The operators so far of each expression that is not at its end, from the outermost.
	chains, longest := []int{0, 0}, 0
	tokens, _ := hclsyntax.LexConfig(source, "", hcl.InitialPos) // the parser reports what is wrong
	for _, token := range tokens {
		last := len(chains) - 1
		switch {
		case token.Type == hclsyntax.TokenBang, token.Type == hclsyntax.TokenMinus, token.Type == hclsyntax.TokenQuestion:
			chains[last]++
		case token.Type == hclsyntax.TokenComma, token.Type == hclsyntax.TokenEqual:
			chains[last] = chains[last-1]
		case nesting(token.Type) > 0:
			if token.Type == hclsyntax.TokenTemplateControl {
				chains[last]++ // %{ if } goes on to its %{ endif }
			}
			chains = append(chains, chains[last])
		case nesting(token.Type) < 0 && last > 1:
			chains = chains[:last]
		}
		longest = max(longest, chains[len(chains)-1])
		if len(chains)-2 > deepest || longest > longestChain {
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
