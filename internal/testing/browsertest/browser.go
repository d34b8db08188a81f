// Package browsertest shows pages to tests in a headless Chromium: what they look like,
// what they say, what they load. It knows nothing of what is on a page.
package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/cdproto/cdp"
)

// Variable is the environment variable that, set to "required", has tests fail without a
// browser. They are skipped otherwise.
const Variable = "TEST_BROWSER"

// programs are the names under which systems install a Chromium.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell", "chrome"}

// Browser is the Chromium of one test: a profile of its own in one that tests share, or one
// of its own.
type Browser struct {
	chromium *chromium
	profile  cdp.BrowserContextID
}

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

	b := &Browser{}
	if shared != nil {
		b.chromium, b.profile, err = shared.newProfile(program)
	} else if b.chromium, err = startChromium(t.Context(), program); err == nil {
		t.Cleanup(b.chromium.stop)
		b.profile, err = b.chromium.newProfile()
	}
	if err != nil {
		t.Fatalf("%s does not start: %v", program, err)
	}
	t.Cleanup(func() { b.chromium.removeProfile(t, b.profile) })
	return b
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
