package visit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// Picture is a picture of a screen of a survey, in a language and on a device.
type Picture struct {
	Survey Survey
	Screen Screen
	// Language is empty for the texts as they are without a translation.
	Language string
	Device   Device
	// File is the name of the picture: no other one of the surveys has it.
	File string
}

// Words say what a picture shows.
func (p Picture) Words() string {
	words := map[Screen]string{Tab: "the tab", Intro: "the intro screen", End: "the message at the end"}[p.Screen]
	if place, err := strconv.Atoi(string(p.Screen)); err == nil {
		words = fmt.Sprintf("question %d of %d (place %d)", place+1, p.Survey.Size(), place)
	}
	if p.Language != "" {
		words += ", " + p.Language
	}
	return words + ", " + string(p.Device)
}

// address is the path of the page that shows it.
func (p Picture) address() string {
	asked := url.Values{"question": {string(p.Screen)}, "language": {p.Language}, "device": {string(p.Device)}}
	return "/surveys/" + url.PathEscape(p.Survey.Label) + "?" + asked.Encode()
}

// pictures are all pictures of a survey, in the order in which respondents see the screens.
// taken are the names that those of other surveys have.
func (s Survey) pictures(taken map[string]bool) []Picture {
	var all []Picture
	for _, language := range append([]string{""}, s.Languages...) {
		for _, device := range []Device{Desktop, Phone} {
			for _, screen := range s.Screens() {
				p := Picture{Survey: s, Screen: screen, Language: language, Device: device}
				p.File = unique(p.name(), taken) + ".png"
				all = append(all, p)
			}
		}
	}
	return all
}

// notInNames is what no part of the name of a picture has: a language is a text of other
// people.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// name names the file of a picture, without its extension. Names of questions sort by their
// places.
func (p Picture) name() string {
	parts := []string{p.Survey.Label}
	if p.Language != "" {
		parts = append(parts, strings.Trim(notInNames.ReplaceAllString(p.Language, "-"), "-"))
	}
	if p.Device != Desktop {
		parts = append(parts, string(p.Device))
	}

	screen := string(p.Screen)
	if place, err := strconv.Atoi(screen); err == nil {
		screen = fmt.Sprintf("%0*d", max(2, len(strconv.Itoa(p.Survey.Size()-1))), place)
	}
	return strings.Join(append(parts, screen), "_")
}

// pictureTimeout is the timeout for a screen to be shown.
const pictureTimeout = 30 * time.Second

// browsers are the names of browsers that can take pictures, as packages install them.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell", "microsoft-edge"}

// ErrNoBrowser is returned when no browser is found that can take pictures.
var ErrNoBrowser = errors.New("no Chromium or Chrome was found: install one, or name it with --browser")

// FindBrowser finds a browser in PATH.
func FindBrowser() (string, error) {
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// Pictures takes the pictures of surveys in a browser, and passes each to write as PNG. It
// stops at the first error. Nothing is loaded from other servers.
func Pictures(ctx context.Context, browser string, surveys []Survey, write func(p Picture, png []byte) error) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: Preview(surveys, &web.Guard{}), ReadHeaderTimeout: pictureTimeout}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()

	ctx, stop := startBrowser(ctx, browser)
	defer stop()
	if err := chromedp.Do(ctx); err != nil {
		return fmt.Errorf("cannot start %s: %w", browser, err)
	}

	taken := map[string]bool{}
	for _, s := range surveys {
		for _, p := range s.pictures(taken) {
			png, err := take(ctx, fmt.Sprintf("http://%s%s", listener.Addr(), p.address()), p)
			if err != nil {
				return fmt.Errorf("survey %q: cannot take the picture %s: %w", s.Name, p.File, err)
			}
			if err := write(p, png); err != nil {
				return err
			}
		}
	}
	return nil
}

// startBrowser prepares a browser without a window, which starts with the first action.
func startBrowser(ctx context.Context, path string) (context.Context, func()) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.WindowSize(1280, 1400),
		// Pictures are the same at every run, and sharp.
		chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("force-device-scale-factor", "2"),
		// A browser asks its makers for updates and more. This one reaches the pages of this
		// process, and nothing else.
		chromedp.Flag("no-proxy-server", true), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	if os.Geteuid() == 0 {
		// The sandbox refuses to run as root. All that is shown is of this process.
		options = append(options, chromedp.NoSandbox)
	}

	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	return ctx, func() {
		stopBrowser()
		stopAllocator()
	}
}

// take takes a picture of the window on a page.
func take(ctx context.Context, url string, p Picture) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()

	shown := chromedp.CSS(fmt.Sprintf(`.window:has(#stage[data-place=%q][data-device=%q])`, p.Screen, p.Device))
	err := chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitVisible(shown))
	var png []byte
	if err == nil {
		png, err = chromedp.Run(ctx, chromedp.Screenshot(shown))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it was not shown within %s", pictureTimeout)
	}
	return png, err
}

// gallery has the contents of the page that shows pictures.
type gallery struct {
	Surveys  []shownSurvey
	Renderer string
}

// shownSurvey is a survey with its pictures, a row for each language and device.
type shownSurvey struct {
	Survey

	Rows [][]Picture
}

// Gallery writes a page that shows pictures together, which are in the same directory. It
// needs no script, and loads nothing else.
func Gallery(w io.Writer, pictures []Picture) error {
	g := gallery{Renderer: RendererVersion()}
	for i, p := range pictures {
		if i == 0 || pictures[i-1].Survey.Label != p.Survey.Label {
			g.Surveys = append(g.Surveys, shownSurvey{Survey: p.Survey})
		}
		last := &g.Surveys[len(g.Surveys)-1]
		if len(last.Rows) == 0 || pictures[i-1].Language != p.Language || pictures[i-1].Device != p.Device {
			last.Rows = append(last.Rows, nil)
		}
		last.Rows[len(last.Rows)-1] = append(last.Rows[len(last.Rows)-1], p)
	}
	return pages.ExecuteTemplate(w, "gallery.html", g)
}
