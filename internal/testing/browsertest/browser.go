// Package browsertest shows pages to tests in a headless Chromium: what they look like,
// what they say, what they load. It knows nothing of what is on a page.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Variable is the environment variable that, set to "required", has tests fail without a
// browser. They are skipped otherwise.
const Variable = "TEST_BROWSER"

// programs are the names under which systems install a Chromium.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell", "chrome"}

// Browser is a running Chromium of one test.
type Browser struct{ ctx context.Context }

// Start starts a browser that ends with the test. Without a Chromium in PATH the test is
// skipped, or fails where [Variable] says that there has to be one.
func Start(t testing.TB) *Browser {
	t.Helper()

	program, err := find()
	switch {
	case err != nil && os.Getenv(Variable) == "required":
		t.Fatalf("%s=required: %v", Variable, err)
	case err != nil:
		t.Skipf("%v (%s=required makes this a failure)", err, Variable)
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		// Tests run as root in containers, and show pages of their own alone.
		chromedp.NoSandbox,
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	t.Cleanup(func() { stop(); stopAllocator() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", program, err)
	}
	return &Browser{ctx}
}

// find returns the path of a Chromium.
func find() (string, error) {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium in PATH: looked for %v", programs)
}
