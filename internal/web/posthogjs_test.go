package web_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// The embedded scripts have the pinned version.
func TestFilesArePinned(t *testing.T) {
	t.Parallel()
	assert.Regexp(t, `^\d+\.\d+\.\d+$`, web.PosthogJSVersion())
	for _, name := range []string{"array.js", "surveys.js", "surveys-preview.js"} {
		script, err := fs.ReadFile(web.PosthogJS(), name)
		require.NoError(t, err)
		assert.Contains(t, string(script), `"`+web.PosthogJSVersion()+`"`, name)
	}
}

// The lock file from which make renderer installs also has the pinned version.
func TestLockFileIsPinned(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("files/package-lock.json")
	require.NoError(t, err)
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	require.NoError(t, json.Unmarshal(raw, &lock))
	assert.Equal(t, web.PosthogJSVersion(), lock.Packages["node_modules/posthog-js"].Version)
}

// Each package in the scripts has its license in a file next to them.
func TestLicences(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"posthog-js", "preact", "dompurify", "fflate"} {
		text, err := fs.ReadFile(web.PosthogJS(), "LICENSE."+name+".txt")
		require.NoError(t, err)
		assert.Contains(t, string(text), "opyright", name)
	}
}
