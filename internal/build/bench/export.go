package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// exports compares posthog-sync export with Terraform, which generates configuration for
// import blocks.
func (b *bench) exports(ctx context.Context) (rows []string, err error) {
	n, pages := 1000, 2
	if b.quick {
		n, pages = 10, 1
	}
	w, err := b.newWorkspace(ctx, ours, n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	folder, err := os.MkdirTemp(b.dir, "exported-")
	if err != nil {
		return nil, err
	}

	exported, err := w.measure(ctx, func() error { return w.sync(ctx, "export", folder) })
	if err != nil {
		return nil, err
	}
	generated, err := w.measure(ctx, func() error { return w.generate(ctx, n) })
	if err != nil {
		return nil, err
	}
	return []string{
		b.compared("time of an export, "+surveys(n), samples{exported.elapsed.Seconds()}, samples{generated.elapsed.Seconds()},
			"plan -generate-config-out", seconds, bar{atMost: 0.1}),
		b.counted("requests of an export, "+surveys(n), exported.requests, "one for each page and for the import apps", pages+1),
	}, nil
}

// generate lets the CLI generate the configuration of the same surveys.
func (w *workspace) generate(ctx context.Context, n int) error {
	imports := make([]any, n)
	for i := range imports {
		imports[i] = map[string]any{"to": fmt.Sprintf("posthog_survey.survey_%05d", i), "id": "1/" + surveyID(i)}
	}
	if err := errors.Join(w.write(map[string]any{"import": imports}), w.call(ctx, "plan", "-generate-config-out=generated.tf")); err != nil {
		return err
	}
	code, err := os.ReadFile(filepath.Join(w.dir, "generated.tf"))
	if got := strings.Count("\n"+string(code), "\nresource "); err == nil && got != n {
		err = fmt.Errorf("generated.tf has %d resources, not %d", got, n)
	}
	return err
}
