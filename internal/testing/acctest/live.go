package acctest

import (
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// LiveVariable is the environment variable that has the tests of an account run: with the value
// "service" against the account that the provider's variables name, with "testserver" against a
// test server of profile hosted.
const LiveVariable = "TESTACC_LIVE"

// Live are the factories of a test of an account, which is skipped where none is asked for.
func Live(t testing.TB) map[string]func() (tfprotov6.ProviderServer, error) {
	t.Helper()
	switch asked := os.Getenv(LiveVariable); {
	case asked == "service" && os.Getenv("POSTHOG_API_KEY") != "" && os.Getenv("POSTHOG_PROJECT_ID") != "":
		return map[string]func() (tfprotov6.ProviderServer, error){"posthog": func() (tfprotov6.ProviderServer, error) {
			return provider.NewServer(&provider.Provider{Version: "test", Getenv: os.Getenv})
		}}
	case asked == "testserver":
		return Start(t, Profile(testserver.Hosted)).Factories()
	}
	t.Skip("no account is named: make testacc-live with POSTHOG_API_KEY and POSTHOG_PROJECT_ID, or with TESTACC_LIVE=testserver")
	return nil
}
