// Command pictures takes the pictures for the documentation: it starts the test server and
// posthog-sync, which are built before, opens their pages in a browser, and takes
// screenshots.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	bin := flag.String("bin", "bin", "`directory` with posthog-sync and posthog-testserver")
	modules := flag.String("modules", "bin/.pictures/node_modules", "`directory` with the modules of package.json")
	output := flag.String("output", "docs/images", "`directory` for the pictures")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *bin, *modules, *output)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// run takes all pictures.
func run(ctx context.Context, bin, modules, output string) (err error) {
	work, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	p := &programs{bin: bin, work: work}
	defer p.stop()
	if err := os.MkdirAll(output, 0o755); err != nil { //nolint:gosec // readable by all users
		return err
	}

	if err := p.startServer(ctx); err != nil {
		return err
	}
	if err := p.makeRequests(ctx); err != nil {
		return err
	}
	drawing, err := p.sync(ctx, "draw", "file:"+p.snapshot(), "--to", "svg", "--select", "Quarterly NPS")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(output, "flow.svg"), drawing, 0o644); err != nil { //nolint:gosec // as above
		return err
	}

	review, err := p.sync(ctx, "review", "plan.json")
	if err != nil {
		return err
	}
	comment, err := commentPage(review, modules, work)
	if err != nil {
		return err
	}
	preview, err := p.startPreview(ctx)
	if err != nil {
		return err
	}

	try, err := p.startTry(ctx)
	if err != nil {
		return err
	}

	survey := p.server + "/?survey=" + surveyID
	return shoot(ctx, output, []picture{
		{name: "page", url: p.server + "/", ready: "#pause"},
		{name: "page-dark", url: p.server + "/", ready: "#pause", dark: true},
		{name: "survey", url: survey, ready: "#survey svg", show: "#survey", height: 3000},
		{name: "people", url: survey, ready: "#people ul", show: "#people", height: 3000},
		{name: "journal", url: p.server + "/?request=7", ready: "#detail-title", show: "main"},
		{name: "preview", url: preview + "/surveys/quarterly_nps_00000001", ready: `#stage[data-place="0"]`},
		{name: "try", url: try, ready: "iframe", until: surveyArrived},
		{name: "review", url: comment, ready: "[data-drawn]", width: 860, show: "#comment"},
		{name: "review-dark", url: comment, ready: "[data-drawn]", width: 860, show: "#comment", dark: true},
	})
}
