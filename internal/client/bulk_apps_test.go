package client

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Import apps are read from lists too: in as few requests as surveys, with the same
// outcome as one by one, and one that is gone is gone.
func TestReadsOfImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, c := range []struct{ read, of, most int }{{1, 300, 1}, {10, 10, 2}, {200, 200, 2}, {600, 600, 4}} {
			t.Run(fmt.Sprint(c.read, " of ", c.of, " ", profile), func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				srv.SetFixtures(manyApps(t, srv.OrganizationID, c.of))
				apps := of(t, srv).PipelineImportApps(srv.OrganizationID)
				places := make(chan int)
				var wg sync.WaitGroup
				for range 10 {
					wg.Go(func() {
						for i := range places {
							app, err := apps.Read(t.Context(), int64(i+1))
							assert.NoError(t, err)
							assert.Equal(t, fmt.Sprint("App ", i+1), app.Name.MustGet())
						}
					})
				}
				for i := range c.read {
					places <- i
				}
				close(places)
				wg.Wait()
				assert.LessOrEqual(t, len(srv.Journal()), c.most)

				srv.DeleteApp(1)
				_, err := apps.Read(t.Context(), 1)
				assert.True(t, IsNotFound(err), "%v", err)
			})
		}
	}
}

func manyApps(t *testing.T, organization string, n int) string {
	t.Helper()
	apps := make([]any, n)
	for i := range apps {
		apps[i] = map[string]any{
			"organization_id": organization, "id": i + 1, "name": fmt.Sprint("App ", i+1), "url": fmt.Sprint("https://example.com/", i),
			"capabilities": map[string]any{"methods": []any{"setupPlugin"}},
		}
	}
	raw, err := json.Marshal(map[string]any{"pipeline_import_apps": apps})
	require.NoError(t, err)
	return string(raw)
}
