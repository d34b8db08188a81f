package visit_test

import (
	"os"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
