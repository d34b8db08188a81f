package acctest

import (
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/contracttest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// answers are those of all servers of a test binary.
var answers contracttest.Sample

// ObserveContract returns an observer for a test's server that fails the test when an
// answer, other than that of a fault, is not as the OpenAPI document says. What SDKs in apps ask
// for is no part of the document.
func ObserveContract(t testing.TB) func(testserver.Exchange) {
	return func(e testserver.Exchange) {
		if !e.Fault && !strings.HasPrefix(e.Operation, "sdk_") {
			answers.Check(t, e.Operation, e.Status, e.Header, e.Body)
		}
	}
}
