// Package browsertest runs generated files in their real environment: pages in a headless Chromium, with their
// layout, text, and requests, and TypeScript in its compiler. It also finds the SDKs of backends. It must not
// depend on the contents of a page or file.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// programs are the names of Chromium executables. The first has no user interface and needs a third of the
// others' CPU time.
var programs = []string{"chromium-headless-shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// Browser is a test's own profile in the Chromium process that the tests of a package share.
type Browser struct {
	chromium context.Context
	profile  cdp.BrowserContextID
}

// Start starts a browser with a new profile, which ends with the test. If PATH contains no Chromium, Start skips
// the test, or fails it if [Variable] requires a browser.
func Start(t testing.TB) *Browser {
	t.Helper()
	program, err := find()
	require(t, Variable, err, "no browser is available")
	shared, err := chromium()
	if err != nil {
		t.Fatalf("could not start %s: %v", program, err)
	}

	ctx, cancel := context.WithTimeout(shared, patience)
	defer cancel()
	created, err := cdp.Call(ctx, chromedp.FromContext(shared).Browser, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		t.Fatalf("%s could not create a profile: %v", program, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(shared, patience)
		defer cancel()
		forget := target.DisposeBrowserContextParams(created)
		if _, err := cdp.Call(ctx, chromedp.FromContext(shared).Browser, target.DisposeBrowserContext, forget); err != nil {
			t.Logf("could not remove the test's profile from the browser: %v", err)
		}
	})
	return &Browser{shared, created.BrowserContextID}
}

// find returns the path of a Chromium executable.
func find() (string, error) {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium in PATH, searched for %v", programs)
}

// chromium starts the Chromium process that the tests of a package share. It starts with the first test that
// needs it, because a start takes longer than most tests.
var chromium = sync.OnceValues(func() (context.Context, error) {
	if running == nil {
		return nil, errors.New("TestMain must call browsertest.Main")
	}
	program, err := find()
	if err != nil {
		return nil, err
	}
	allocator, _ := chromedp.NewExecAllocator(running, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		// Chrome's sandbox does not work for root in containers. Tests open only their own pages.
		chromedp.NoSandbox,
	)...)
	ctx, stop := chromedp.NewContext(allocator)
	stopChromium = stop
	return ctx, chromedp.Do(ctx)
})

var (
	// running ends after the tests of a package. It is nil if [Main] does not run the tests.
	running      context.Context
	stopChromium = func() {}
)

// Main runs the tests of a package and returns their exit code. If tests start browsers, call it in TestMain.
func Main(m *testing.M) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() { stopChromium() }()
	running = ctx
	return m.Run()
}
