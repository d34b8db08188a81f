package client

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The flags of a project come from all pages, without those that are deleted; a service
// without the operation says so.
func TestFeatureFlags(t *testing.T) {
	t.Parallel()
	for profile, want := range map[testserver.Profile][]string{testserver.Hosted: {"a", "b", "c"}, testserver.Documented: nil} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		srv.DeleteFlag(1)
		for _, key := range []string{"a", "b", "c", "gone"} {
			srv.CreateFlag(testserver.Object{"key": key, "deleted": key == "gone"})
		}
		c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
		require.NoError(t, err)

		var keys []string
		for flag, err := range c.FeatureFlags(t.Context(), srv.ProjectID, FlagOptions{ListOptions: ListOptions{PageSize: 2}}) {
			require.Equal(t, want == nil, IsEndpointNotFound(err), "%s: %v", profile, err)
			if err == nil {
				keys = append(keys, *flag.Key)
			}
		}
		slices.Sort(keys)
		assert.Equal(t, want, keys, profile)
	}
}
