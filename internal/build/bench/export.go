package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// exportedAgainst is the number of surveys at which export is compared with Terraform.
const exportedAgainst = 1000

// export compares posthog-sync export with Terraform, which generates configuration for
// import blocks, and measures the memory of exports of many surveys.
func export(ctx context.Context, g *runner) ([]row, error) {
	program, err := g.buildSync(ctx)
	if err != nil {
		return nil, err
	}

	var rows []row
	for _, n := range []int{exportedAgainst, 5000, 10000} {
		measured, err := g.exports(ctx, program, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// buildSync builds posthog-sync.
func (g *runner) buildSync(ctx context.Context) (program string, err error) {
	program = filepath.Join(g.dir, "posthog-sync")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/posthog-sync")
	build.Dir = g.root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
}

// exports measures exports of n surveys.
func (g *runner) exports(ctx context.Context, program string, n int) (rows []row, err error) {
	srv, err := g.startService(ctx, g.server, n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	e, err := g.newWorkspace(ours, srv.environment...)
	if err != nil {
		return nil, err
	}

	times, peak := []float64{}, 0.0
	requests, err := srv.countRequests(ctx, func() error {
		elapsed, used, err := e.export(ctx, program)
		times, peak = append(times, elapsed.Seconds()), float64(used.Peak)
		return err
	})
	if err != nil {
		return nil, err
	}
	if n == exportedAgainst {
		if rows, err = e.beside(ctx, n, samples{"", times, seconds}); err != nil {
			return nil, err
		}
	}
	const pageSize, constant = 500, 1
	return append(rows,
		counted("requests of an export, "+surveys(n), requests, fmt.Sprintf("%d, one for each page and for the import apps", n/pageSize+constant), bar{atMost: float64(n/pageSize + constant)}),
		row{What: "memory of an export, " + surveys(n), Ours: megabytes(peak)}), nil
}

// export exports into a new directory, under the meter.
func (e *workspace) export(ctx context.Context, program string) (time.Duration, usage, error) {
	dir, err := os.MkdirTemp(e.dir, "export-")
	if err != nil {
		return 0, usage{}, err
	}

	cmd := exec.CommandContext(ctx, e.runner.self, "meter", e.used, program, "export", dir, "--no-progress")
	cmd.Env = e.env
	interruptible(cmd)

	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, usage{}, fmt.Errorf("export: %w\n%s", err, out)
	}

	elapsed := time.Since(start)
	used, err := readOneUsage(e.used)
	return elapsed, used, err
}

// beside compares the time of an export with the corresponding commands of the CLI.
func (e *workspace) beside(ctx context.Context, n int, exported samples) ([]row, error) {
	const what = "time of an export, "
	elapsed, err := e.generate(ctx, n)
	if err != nil {
		return nil, err
	}
	rows := []row{compared(what+surveys(n), exported,
		samples{"plan -generate-config-out", []float64{elapsed.Seconds()}, seconds}, bar{atMost: 0.1})}

	const query = "query -generate-config-out"
	elapsed, err = e.query(ctx, n)
	switch {
	case errors.Is(err, errNoQuery):
		return append(rows, row{
			What: what + surveys(n), Ours: exported.show(median(exported.values)), Against: query + ": Terraform 1.14 or later has it",
			Bar: bar{atMost: 0.1}.String(), NotMeasured: true,
		}), nil
	case err != nil:
		return nil, err
	}
	return append(rows, compared(what+surveys(n), exported, samples{query, []float64{elapsed.Seconds()}, seconds}, bar{atMost: 0.1})), nil
}

// errNoQuery is returned for a CLI without the command query.
var errNoQuery = errors.New("the CLI has no query")

// query lets the CLI list the surveys, and generate their configuration.
func (e *workspace) query(ctx context.Context, n int) (time.Duration, error) {
	// Terraform before 1.14, and OpenTofu, show their general help and fail.
	help := exec.CommandContext(ctx, e.runner.cli, "query", "-help")
	help.Env = e.env
	interruptible(help)
	if out, err := help.CombinedOutput(); err != nil || !strings.Contains(string(out), "-generate-config-out") {
		return 0, errors.Join(errNoQuery, ctx.Err())
	}

	beside, err := e.runner.newWorkspace(e.variant, e.variables...)
	if err != nil {
		return 0, err
	}
	for name, text := range map[string]string{
		"main.tf": "terraform {\n  required_providers {\n    posthog = { source = \"surveys-as-code/posthog\" }\n  }\n}\n",
		"surveys.tfquery.hcl": fmt.Sprintf("list %q \"all\" {\n  provider         = posthog\n  include_resource = true\n  limit            = %d\n}\n",
			resourceType, n),
	} {
		if err := os.WriteFile(filepath.Join(beside.dir, name), []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	elapsed, err := beside.call(ctx, "query", "-generate-config-out=generated.tf")
	if err != nil {
		return 0, err
	}
	return elapsed, beside.generated(n)
}

// generated fails unless generated.tf has n resources.
func (e *workspace) generated(n int) error {
	text, err := os.ReadFile(filepath.Join(e.dir, "generated.tf"))
	if got := strings.Count("\n"+string(text), "\nresource "); err == nil && got != n {
		err = fmt.Errorf("generated.tf has %d resources, not %d", got, n)
	}
	return err
}

// generate lets the CLI generate the configuration of the same surveys.
func (e *workspace) generate(ctx context.Context, n int) (time.Duration, error) {
	imports := make([]any, n)
	for i := range imports {
		imports[i] = map[string]any{"to": resourceType + "." + blockName(i), "id": "1/" + surveyID(i)}
	}
	err := os.WriteFile(filepath.Join(e.dir, "main.tf.json"), []byte(text(map[string]any{
		"terraform": map[string]any{"required_providers": map[string]any{"posthog": map[string]any{"source": "surveys-as-code/posthog"}}},
		"import":    imports,
	})), 0o600)
	if err != nil {
		return 0, err
	}
	elapsed, err := e.run(ctx, "plan", "-generate-config-out=generated.tf")
	if err != nil {
		return 0, err
	}
	return elapsed, e.generated(n)
}
