package browsertest

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is the maximum time for each action on a page, even on a busy machine.
const patience = time.Minute

// clickPatience is the maximum time until an element can be clicked. It is shorter than patience, so that a failed
// click can report the reason.
const clickPatience = patience - 10*time.Second

// View describes how a page is displayed. The zero value is 1280 by 800 pixels in light mode.
type View struct {
	Width, Height int64
	// Dark sets the preferred color scheme to dark.
	Dark bool
	// Fresh opens the page in a new profile, without data that other pages stored.
	Fresh bool
}

// Page is an open page.
type Page struct {
	ctx context.Context

	mu       sync.Mutex
	requests []string
	errors   []string
}

// Open opens a URL in a new tab and waits until it is loaded.
func (b *Browser) Open(t testing.TB, url string, view View) *Page {
	t.Helper()

	profile := chromedp.WithExistingBrowserContext(b.profile)
	if view.Fresh {
		profile = chromedp.WithNewBrowserContext()
	}
	ctx, stop := chromedp.NewContext(b.chromium, profile)
	t.Cleanup(stop)
	p := &Page{ctx: ctx}
	if err := chromedp.Listen(ctx, p.note); err != nil { // opens the tab, which closes when ctx ends
		t.Fatalf("could not open a tab for %s: %v", url, err)
	}

	if view.Width == 0 {
		view.Width, view.Height = 1280, 800
	}
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	run(t, p, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	})
	run(t, p, chromedp.EmulateViewport(view.Width, view.Height))
	run(t, p, chromedp.Navigate(url))
	return p
}

// Visit opens another URL in the same tab, and waits until it is loaded.
func (p *Page) Visit(t testing.TB, url string) {
	t.Helper()
	run(t, p, chromedp.Navigate(url))
}

// run runs an action in the page. It fails the test if the action fails or takes too long.
func run[T any](t testing.TB, p *Page, action chromedp.Action[T]) T {
	t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatalf("a script of the page failed: %v", err)
	}
	return result
}

// note records an event of the browser.
func (p *Page) note(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, event.Request.URL)
	case *network.EventLoadingFailed:
		// Navigating to another URL cancels the requests of the previous page.
		if !event.Canceled {
			p.errors = append(p.errors, "a request failed: "+event.ErrorText)
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, exceptionText(event.ExceptionDetails))
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError {
			p.errors = append(p.errors, event.Entry.Text)
		}
	case *runtime.EventConsoleAPICalled:
		if event.Type == runtime.ConsoleAPICalledTypeError && len(event.Args) > 0 {
			p.errors = append(p.errors, string(event.Args[0].Value))
		}
	}
}

// exceptionText formats an exception with its message.
func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception != nil {
		return details.Exception.Description
	}
	return details.Text
}

// Requests returns the URLs that the page has requested, beginning with its own.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.requests...)
}

// Errors returns exceptions of scripts, console errors, and failed requests.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.errors...)
}

// Evaluate runs a JavaScript expression and decodes its value as JSON into result. It waits for a promise.
func (p *Page) Evaluate(t testing.TB, expression string, result any) {
	t.Helper()
	value := run(t, p, chromedp.Evaluate[json.RawMessage](expression, chromedp.EvalAwaitPromise))
	if err := json.Unmarshal(value, result); err != nil {
		t.Fatalf("could not decode the value of the expression, %s: %v", value, err)
	}
}

// Text returns the visible text of the first element that matches a selector.
func (p *Page) Text(t testing.TB, selector string) string {
	t.Helper()
	return run(t, p, chromedp.Text(chromedp.CSS(selector)))
}

// Click clicks the first element that matches a selector when the element is visible and uncovered. It checks and
// clicks in one step, so that a page that updates itself cannot move the element in between.
func (p *Page) Click(t testing.TB, selector string) {
	t.Helper()

	quoted, err := json.Marshal(selector)
	if err != nil {
		t.Fatal(err)
	}
	var obstacle string
	p.Evaluate(t, `new Promise((done) => {
		const end = Date.now() + `+strconv.FormatInt(clickPatience.Milliseconds(), 10)+`;
		const look = () => {
			const element = document.querySelector(`+string(quoted)+`);
			element?.scrollIntoView({ block: "nearest", behavior: "instant" });
			const box = element?.getClientRects()[0];
			const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
			if (!box?.width || !element.contains(hit)) {
				if (Date.now() > end) {
					done(!element ? "it is not there" : !box?.width ? "it is not shown"
						: "at " + JSON.stringify(box) + " there is " + (hit?.outerHTML.slice(0, 300) ?? "nothing"));
					return;
				}
				setTimeout(look, 20);
				return;
			}
			element.focus({ preventScroll: true });
			element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, view: window }));
			done("");
		};
		look();
	})`, &obstacle)
	if obstacle != "" {
		t.Fatalf("%s cannot be clicked: %s", selector, obstacle)
	}
}

// Type types text into the first element that matches a selector.
func (p *Page) Type(t testing.TB, selector, text string) {
	t.Helper()
	run(t, p, chromedp.SendKeys(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// Press sends key presses to the focused element, like a person with a keyboard.
func (p *Page) Press(t testing.TB, keys string) {
	t.Helper()
	run(t, p, chromedp.KeyEvent(keys))
}

// WaitFor waits until an element that matches a selector is visible.
func (p *Page) WaitFor(t testing.TB, selector string) {
	t.Helper()
	run(t, p, chromedp.WaitVisible(chromedp.CSS(selector)))
}

// Screenshot returns an image of the whole page as PNG.
func (p *Page) Screenshot(t testing.TB) []byte {
	t.Helper()
	return run(t, p, chromedp.FullScreenshot(100))
}

// Violations returns the accessibility violations that axe-core finds in the page, except in elements that match the
// selectors. If make axe has not downloaded axe-core, it skips the test, or fails it if [Variable] requires it.
func (p *Page) Violations(t testing.TB, without ...string) []string {
	t.Helper()
	script := axe.read(t, "axe.min.js")

	excluded := make([][]string, len(without))
	for i, selector := range without {
		excluded[i] = []string{selector}
	}
	exclude, err := json.Marshal(excluded)
	if err != nil {
		t.Fatal(err)
	}

	var violations []string
	p.Evaluate(t, script+"; true", new(bool))
	p.Evaluate(t, `axe.run({ exclude: `+string(exclude)+` }, { preload: false, resultTypes: ["violations"] }).then((found) => found.violations.map(
		(v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("; ")))`, &violations)
	return violations
}

// LoadMermaid loads mermaid into the page, as code hosts do. If make mermaid has not downloaded it, LoadMermaid skips
// the test, or fails it if [Variable] requires it.
func (p *Page) LoadMermaid(t testing.TB) {
	t.Helper()
	p.Evaluate(t, mermaid.read(t, "dist", "mermaid.min.js")+"; true", new(bool))
}
