package preview

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
)

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
	server := &http.Server{Handler: Handler(surveys, &owner.Guard{}), ReadHeaderTimeout: pictureTimeout}
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
