package code

import (
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	// largest is a size limit far above any hand-written or exported configuration. An export of 10,000
	// surveys is 20 MB in size.
	largest = 256 << 20
	// deepest limits how deeply brackets may be nested. No meaningful expression exceeds it.
	deepest = 500
	// longestChain limits the number of nested operators whose operand is the rest of the expression.
	longestChain = 10_000
)

// CheckSource returns an error for a file that must not be opened as configuration. The directory can
// contain files from an untrusted pull request: reading a pipe would block forever, and the HCL parser
// recurses into brackets and operators, which can overflow the stack.
func CheckSource(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() > largest:
		return fmt.Errorf("%s is %d MB in size, which is too large for a configuration", path, info.Size()>>20)
	}
	return nil
}

// ReadSource reads a configuration file.
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

// ReadForReplacement reads a file before it is replaced. It does not read a pipe, such as /dev/stdout,
// because nothing has been written to it yet.
func ReadForReplacement(path string) ([]byte, error) {
	if err := CheckSource(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // the file that the user named
}

// isTooDeep reports whether brackets, or operators whose operand is the rest of the expression, are
// nested too deeply.
func isTooDeep(source []byte) bool {
	// Few files contain so many of these characters, even in strings and comments, that they need a
	// closer look.
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

	// The number of operators so far in each unfinished expression, outermost first.
	chains, longest := []int{0, 0}, 0
	tokens, _ := hclsyntax.LexConfig(source, "", hcl.InitialPos) // the parser reports errors
	for _, token := range tokens {
		last := len(chains) - 1
		switch {
		case token.Type == hclsyntax.TokenBang, token.Type == hclsyntax.TokenMinus, token.Type == hclsyntax.TokenQuestion:
			chains[last]++
		case token.Type == hclsyntax.TokenComma, token.Type == hclsyntax.TokenEqual:
			chains[last] = chains[last-1]
		case nesting(token.Type) > 0:
			if token.Type == hclsyntax.TokenTemplateControl {
				chains[last]++ // %{ if } continues until %{ endif }
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

// nesting returns how a token changes the depth. HCL's token types for brackets equal their characters.
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
