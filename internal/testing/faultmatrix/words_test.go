package faultmatrix

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// rawError matches errors of Go and of its libraries, which help their authors alone.
var rawError = regexp.MustCompile(`dial tcp|[a-z]+ "https?:|context (deadline|canceled)|unexpected EOF|: EOF|invalid character|cannot unmarshal|connection reset by|net/http:|%!|<nil>|goroutine`)

// checkTexts checks that every error names what was tried on which object, and what to
// do next.
func (c *cell) checkTexts(t *testing.T, op operation, errs acctest.Diagnostics) {
	t.Helper()
	for _, one := range errs {
		text := one.Summary + "\n" + one.Detail
		assert.Regexp(t, "^Could not "+op.name+" (survey|pipeline import app)", one.Summary)
		assert.True(t, strings.Contains(text, objectName) || strings.Contains(text, op.about(c)), text)
		assert.NotRegexp(t, rawError, text)
		assert.NotEmpty(t, advice(text), text)
	}
}

// nextSteps are the ways in which errors say what to do.
var nextSteps = regexp.MustCompile(`(?i)the same command|look for it in the web interface|take it over|take over the existing one|give it another|check (the|whether|base_url)|give the api key|give that user|change the configuration|plan again`)

// advice is what an error says to do; empty when it says nothing.
func advice(text string) string { return nextSteps.FindString(text) }

// importID is the id in the block that takes an object over.
var importID = regexp.MustCompile(`(?s)import \{.*?id = "([^"]+)"`)

// follow does what an error says besides running the same command again.
func (c *cell) follow(t *testing.T, text string) {
	t.Helper()
	found := importID.FindStringSubmatch(text)
	switch {
	case c.object.Exists():
	case found != nil:
		require.Empty(t, c.object.Import(found[1]).Errors().Text())
	case strings.Contains(text, "in the web interface"):
		for _, id := range c.ids(c.env) {
			c.remove(c.env, id)
		}
	}
}
