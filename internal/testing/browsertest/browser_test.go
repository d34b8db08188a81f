package browsertest_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// The helpers return a page's real state.
func TestPage(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>x</title><h1>Hello</h1><img src="/missing.png"><input id="name">
<button onclick="document.querySelector('h1').textContent = 'Hello ' + document.querySelector('#name').value">Greet</button>
<script>console.error("told"); setTimeout(() => { throw new Error("thrown") })</script>`))
	}))
	t.Cleanup(srv.Close)

	page := browser.Open(t, srv.URL+"/", browsertest.View{Width: 640, Height: 480, Dark: true})
	page.WaitFor(t, "h1")
	assert.Equal(t, "Hello", page.Text(t, "h1"))
	page.Type(t, "#name", "Ada")
	page.Click(t, "button")
	assert.Equal(t, "Hello Ada", page.Text(t, "h1"))

	var dark bool
	page.Evaluate(t, `matchMedia("(prefers-color-scheme: dark)").matches`, &dark)
	assert.True(t, dark)
	assert.Contains(t, page.Requests(), srv.URL+"/missing.png")
	errors := page.Errors()
	assert.Contains(t, errors, `"told"`)
	assert.Condition(t, func() bool { return len(errors) >= 3 }, "%q", errors)

	picture, err := png.Decode(bytes.NewReader(page.Screenshot(t)))
	require.NoError(t, err)
	assert.Equal(t, 640, picture.Bounds().Dx())
}

// A page in a new profile contains no data of other pages. A page that is opened again keeps its storage.
func TestFreshPage(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	}))
	t.Cleanup(srv.Close)

	stored := func(page *browsertest.Page) (value string) {
		page.Evaluate(t, `localStorage.getItem("x") ?? "nothing"`, &value)
		return value
	}
	page := browser.Open(t, srv.URL, browsertest.View{Fresh: true})
	page.Evaluate(t, `localStorage.setItem("x", "kept"), true`, new(bool))
	page.Visit(t, srv.URL+"/other")
	assert.Equal(t, "kept", stored(page))
	assert.Equal(t, "nothing", stored(browser.Open(t, srv.URL, browsertest.View{Fresh: true})))
	assert.Equal(t, "nothing", stored(browser.Open(t, srv.URL, browsertest.View{})))
}

// Tests that share a Chromium process don't share storage, and each of their pages has the focus.
func TestProfiles(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	}))
	t.Cleanup(srv.Close)

	var pages []*browsertest.Page
	for range 2 {
		page := browsertest.Start(t).Open(t, srv.URL, browsertest.View{})
		var stored string
		page.Evaluate(t, `localStorage.getItem("x") ?? "nothing"`, &stored)
		assert.Equal(t, "nothing", stored)
		page.Evaluate(t, `localStorage.setItem("x", "kept"), true`, new(bool))
		pages = append(pages, page)
	}
	for _, page := range pages {
		var focused bool
		page.Evaluate(t, `document.hasFocus() && !document.hidden`, &focused)
		assert.True(t, focused)
		// On a hidden page, this would wait forever, because the page gets no animation frames.
		page.Evaluate(t, `new Promise((done) => requestAnimationFrame(() => done(true)))`, new(bool))
	}
}

// recorder is a test that records whether it was skipped or failed.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(string, ...any) { r.ended = "failed"; panic(r) }

func (r *recorder) Skipf(string, ...any) { r.ended = "skipped"; panic(r) }

// Without a browser, browser tests are skipped, unless a browser is required.
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

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
