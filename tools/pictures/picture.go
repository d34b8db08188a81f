package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// picture describes a picture.
type picture struct {
	name, url string
	// ready is the selector of the element to wait for, show that of the element to show;
	// empty for the whole page.
	ready, show string
	// until is a JavaScript promise to wait for; empty for none.
	until string
	// width and height are those of the window, 1280 by 800 where they are 0. Only what is in
	// the window is drawn where a picture shows one element.
	width, height int64
	dark          bool
}

// patience is the timeout for a page to be ready.
const patience = time.Minute

// shoot takes pictures.
func shoot(ctx context.Context, output string, pictures []picture) error {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("chromium"), chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which refuses to run as root
	}
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	defer stopAllocator()
	ctx, stop := chromedp.NewContext(ctx)
	defer stop()

	for _, p := range pictures {
		png, err := p.take(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(filepath.Join(output, p.name+".png"), png, 0o644); err != nil { //nolint:gosec // readable by all users
			return err
		}
	}
	return nil
}

// take takes a picture in a new tab.
func (p picture) take(ctx context.Context) ([]byte, error) {
	if err := chromedp.Do(ctx); err != nil {
		return nil, err
	}
	ctx, stop := chromedp.NewContext(ctx)
	defer stop()
	if err := chromedp.Do(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	width, height, scheme := cmp.Or(p.width, 1280), cmp.Or(p.height, 800), "light"
	if p.dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		return nil, err
	}
	err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(p.url), chromedp.WaitVisible(chromedp.CSS(p.ready)))
	if err != nil {
		return nil, err
	}
	if p.until != "" {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](p.until, chromedp.EvalAwaitPromise)); err != nil {
			return nil, err
		}
	}
	if p.show != "" {
		// An element that is shown alone gets a margin.
		padded := fmt.Sprintf(`document.querySelector(%q).style.padding = "1rem"`, p.show)
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](padded)); err != nil {
			return nil, err
		}
		return chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS(p.show)))
	}
	return chromedp.Run(ctx, chromedp.FullScreenshot(100))
}
