// Package browsertest runs what we write where it will run: pages in a headless Chromium, what
// they look like, what they say, what they load; and generated TypeScript in its compiler. It
// knows nothing of what is on a page or in a file.
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
	require(t, Variable, err, "there is no browser")

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

// chromium is a running Chromium.
type chromium struct {
	ctx  context.Context
	stop func()
}

// startChromium starts a program, which ends with the context or when it is stopped.
func startChromium(ctx context.Context, program string) (*chromium, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		// Tests run as root in containers, and show pages of their own alone.
		chromedp.NoSandbox,
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stopBrowser := chromedp.NewContext(allocator)
	c := &chromium{ctx: ctx, stop: func() { stopBrowser(); stopAllocator() }}
	if err := chromedp.Do(ctx); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

// newProfile makes a profile without what pages of others have stored, and with no page.
func (c *chromium) newProfile() (cdp.BrowserContextID, error) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	made, err := cdp.Call(ctx, chromedp.FromContext(c.ctx).Browser, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	return made.BrowserContextID, err
}

// removeProfile closes the pages of a profile and forgets what they have stored. What is gone
// already, with its Chromium, is no failure.
func (c *chromium) removeProfile(t testing.TB, id cdp.BrowserContextID) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	_, err := cdp.Call(ctx, chromedp.FromContext(c.ctx).Browser, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: id})
	if err != nil && c.ctx.Err() == nil {
		t.Logf("the profile of the test stays in the browser: %v", err)
	}
}

// sharedChromium is the Chromium of all tests of a package.
type sharedChromium struct {
	ctx context.Context

	mu      sync.Mutex
	running *chromium
}

// shared is nil where tests are not run by [Main].
var shared *sharedChromium

// Main runs the tests of a package, and returns their exit code. They share a Chromium, which
// starts with the first of them that needs it, and ends with the last: a start takes longer
// than most tests. Call it in TestMain. In other packages each test starts one of its own.
func Main(m *testing.M) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	shared = &sharedChromium{ctx: ctx}
	defer shared.stop()
	return m.Run()
}

// newProfile makes a profile in the Chromium, which is started when there is none, and
// replaced when it does not answer.
func (s *sharedChromium) newProfile(program string) (*chromium, cdp.BrowserContextID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	var lost error
	if s.running != nil {
		id, err := s.running.newProfile()
		if err == nil {
			return s.running, id, nil
		}
		lost = err
		s.running.stop()
		s.running = nil
	}

	started, err := startChromium(s.ctx, program)
	if err != nil {
		return nil, "", errors.Join(err, lost)
	}
	s.running = started
	id, err := started.newProfile()
	return started, id, err
}

// stop ends the Chromium.
func (s *sharedChromium) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.running.stop()
		s.running = nil
	}
}
