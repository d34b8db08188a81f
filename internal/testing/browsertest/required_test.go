package browsertest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// recorder is a test that notes how it ends.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(string, ...any) { r.ended = "failed"; panic(r) }

func (r *recorder) Skipf(string, ...any) { r.ended = "skipped"; panic(r) }

// Without a browser tests are skipped, unless there has to be one.
func TestWithoutABrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	start := func() string {
		r := &recorder{TB: t}
		func() {
			defer func() { _ = recover() }()
			browsertest.Start(r)
		}()
		return r.ended
	}

	t.Setenv(browsertest.Variable, "")
	assert.Equal(t, "skipped", start())
	t.Setenv(browsertest.Variable, "required")
	assert.Equal(t, "failed", start())
}
