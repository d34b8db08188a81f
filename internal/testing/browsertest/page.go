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

// patience bounds each thing that a page is asked to do, on a machine that is busy.
const patience = time.Minute

// clickPatience bounds the time until an element can be clicked, so that a click that cannot be
// done can say why.
const clickPatience = patience - 10*time.Second

// View is how a page is shown. The zero value is 1280 by 800 pixels by day.
type View struct {
	Width, Height int64
	// Dark has the page prefer a dark color scheme.
	Dark bool
	// Fresh opens the page in a new profile, without data that other pages have stored.
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
	if err := chromedp.Listen(ctx, p.note); err != nil { // opens the tab, which lives as long as ctx
		t.Fatalf("no tab for %s: %v", url, err)
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

// Visit leaves the page for another address, in the same tab, and waits until that is loaded.
func (p *Page) Visit(t testing.TB, url string) {
	t.Helper()
	run(t, p, chromedp.Navigate(url))
}

// run runs an action in the page, and fails the test when it fails or takes too long.
func run[T any](t testing.TB, p *Page, action chromedp.Action[T]) T {
	t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatalf("the page failed: %v", err)
	}
	return result
}

// note takes in what the browser says of the page.
func (p *Page) note(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, event.Request.URL)
	case *network.EventLoadingFailed:
		// A page that follows another address than before ends the request for that one.
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

// exceptionText returns an exception with its message.
func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception != nil {
		return details.Exception.Description
	}
	return details.Text
}

// Requests returns the addresses that the page has asked for, its own first.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.requests...)
}

// Errors returns exceptions of scripts, errors on the console and requests that failed.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.errors...)
}

// Evaluate runs a JavaScript expression and decodes its value as JSON into result. The
// value of a promise is waited for.
func (p *Page) Evaluate(t testing.TB, expression string, result any) {
	t.Helper()
	value := run(t, p, chromedp.Evaluate[json.RawMessage](expression, chromedp.EvalAwaitPromise))
	if err := json.Unmarshal(value, result); err != nil {
		t.Fatalf("the value of the expression is %s: %v", value, err)
	}
}

// Text is what the first element that matches a selector shows.
func (p *Page) Text(t testing.TB, selector string) string {
	t.Helper()
	return run(t, p, chromedp.Text(chromedp.CSS(selector)))
}

// Click clicks on the first element that matches a selector, when it is visible and nothing
// covers it. Looking and clicking are one step of the page: a page that changes by itself
// cannot move the element away in between.
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

// Type types into the first element that matches a selector.
func (p *Page) Type(t testing.TB, selector, text string) {
	t.Helper()
	run(t, p, chromedp.SendKeys(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// Press presses keys on what has the focus, as a person with a keyboard does.
func (p *Page) Press(t testing.TB, keys string) {
	t.Helper()
	run(t, p, chromedp.KeyEvent(keys))
}

// WaitFor waits until an element that matches a selector is visible.
func (p *Page) WaitFor(t testing.TB, selector string) {
	t.Helper()
	run(t, p, chromedp.WaitVisible(chromedp.CSS(selector)))
}

// Screenshot returns a picture of the whole page, as PNG.
func (p *Page) Screenshot(t testing.TB) []byte {
	t.Helper()
	return run(t, p, chromedp.FullScreenshot(100))
}

// Violations returns the violations of accessibility rules that axe-core finds in the page,
// without the elements that match the selectors. Where make axe has not downloaded it, the
// test is skipped, or fails where [Variable] says that nothing may be skipped.
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

// LoadMermaid makes the page's mermaid, as code hosts have it. Where make mermaid has not
// downloaded it, the test is skipped, or fails where [Variable] says that nothing may be
// skipped.
func (p *Page) LoadMermaid(t testing.TB) {
	t.Helper()
	p.Evaluate(t, mermaid.read(t, "dist", "mermaid.min.js")+"; true", new(bool))
}
