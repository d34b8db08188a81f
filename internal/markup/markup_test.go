package markup

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCanonicalIsTheSameForTextsThatPostHogStoresAsOne(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"a &amp; b":                 "a & b",
		" a\n":                      "a",
		"Cafe\u0301":                "Caf\u00e9",
		"<b>a":                      "<b>a</b>",
		"a<br>":                     "a<br/>",
		"<script>x</script>a":       "a",
		"<p onclick='x'>a</p>":      `<p>a</p>`,
		"a<!-- b -->":               "a",
		"<a href='https://x'>a</a>": `<a href="https://x" rel="noopener noreferrer">a</a>`,
	} {
		assert.Equal(t, Canonical(b), Canonical(a), "%q and %q", a, b)
		assert.Equal(t, Clean(Clean(a)), Clean(a), "cleaning a text twice changes it: %q", a)
	}
	for a, b := range map[string]string{"a": "b", "a b": "a  b", "<b>a</b>": "<i>a</i>", "x": "X"} {
		assert.NotEqual(t, Canonical(b), Canonical(a))
	}
	assert.Equal(t, "a &lt; b", Clean("a < b"))
}
