package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
)

// A path is cut and nothing of it is lost; parts begin behind a slash or at a parameter.
func TestPathParts(t *testing.T) {
	t.Parallel()
	entry := Entry{Path: "/api/projects/1/surveys//", Query: "limit=2&search=a/b"}
	assert.Equal(t, []string{"/", "api/", "projects/", "1/", "surveys/", "/", "?limit=2", "&search=a/", "b"}, entry.PathParts())
	assert.Empty(t, Entry{}.PathParts())

	rapid.Check(t, func(t *rapid.T) {
		entry := Entry{Path: rapid.StringMatching(`[/?&a-cü]{0,12}`).Draw(t, "path"), Query: rapid.StringMatching(`[/?&=a-cü]{0,12}`).Draw(t, "query")}
		whole := entry.Path
		if entry.Query != "" {
			whole += "?" + entry.Query
		}
		assert.Equal(t, whole, strings.Join(entry.PathParts(), ""))
		assert.NotContains(t, entry.PathParts(), "")
	})
}
