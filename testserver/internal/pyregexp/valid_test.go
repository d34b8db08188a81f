package pyregexp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/pyregexp"
)

func TestValid(t *testing.T) {
	t.Parallel()

	for _, pattern := range []string{
		"", "a", "a|b", "^a.*z$", "[a-z]", "[^]]", "[]a]", `\d{2,3}`, "a{,3}", "a{", "x*?", "x++", "(?:a)(b)",
		"(?P<name>a)(?P=name)", "(a)(?(1)b|c)", "(?i)a", "(?<=ab)c", "(?<!a|b)c", `(a)\1`, `\101`, "(?#note)a", "(?i:a)",
	} {
		assert.True(t, pyregexp.Valid(pattern), "%q", pattern)
	}
	for _, pattern := range []string{
		"(", ")", "[a", "[", "a**", "*a", "?", "a{3,2}", "[z-a]", `\`, `a\`, "(?P<name>a", "(?P<1>a)", "(?P=none)",
		`\1`, "(?<=a*)b", "(?<=a|bc)d", "(?(2)a)", "(?z)", "a(?i)", `\g`, strings.Repeat("(", 1_000) + strings.Repeat(")", 1_000),
	} {
		assert.False(t, pyregexp.Valid(pattern), "%q", pattern)
	}
}
