package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// exportedAgainst is the number of surveys at which export is compared with Terraform.
const exportedAgainst = 1000

// export measures posthog-sync export beside Terraform, which generates configuration
// for import blocks, and the memory of exports of many surveys.
func export(ctx context.Context, g *ground) ([]row, error) {
	program := filepath.Join(g.dir, "posthog-sync")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/posthog-sync")
	build.Dir = g.root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
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

// exports measures exports of n surveys.
func (g *ground) exports(ctx context.Context, program string, n int) (rows []row, err error) {
	srv, err := g.startService(ctx, n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	e, err := g.newEstate(ours, srv.environment...)
	if err != nil {
		return nil, err
	}

	times, generated, peak := []float64{}, []float64{}, 0.0
	made, err := srv.counted(ctx, func() error {
		took, used, err := e.export(ctx, program)
		times, peak = append(times, took.Seconds()), float64(used.Peak)
		return err
	})
	if err != nil {
		return nil, err
	}
	if n == exportedAgainst {
		took, err := e.generate(ctx, n)
		if err != nil {
			return nil, err
		}
		generated = append(generated, took.Seconds())
		rows = append(rows, compared("time of an export, "+surveys(n), measured{"", times, seconds},
			measured{"plan -generate-config-out", generated, seconds}, bar{atMost: 0.1}))
	}
	const pageSize, constant = 500, 1
	return append(rows,
		counted("requests of an export, "+surveys(n), made, fmt.Sprintf("%d, one for each page and for the import apps", n/pageSize+constant), bar{atMost: float64(n/pageSize + constant)}),
		row{What: "memory of an export, " + surveys(n), Ours: megabytes(peak)}), nil
}

// export exports into a new folder, under the meter.
func (e *estate) export(ctx context.Context, program string) (time.Duration, usage, error) {
	dir, err := os.MkdirTemp(e.dir, "export-")
	if err != nil {
		return 0, usage{}, err
	}
	cmd := exec.CommandContext(ctx, e.ground.self, "meter", e.used, program, "export", dir, "--no-progress")
	cmd.Env = e.env
	interruptible(cmd)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, usage{}, fmt.Errorf("export: %w\n%s", err, out)
	}
	took := time.Since(began)
	used, err := readUsage(e.used)
	if err == nil && len(used) != 1 {
		err = fmt.Errorf("the meter measured %d exports, not 1", len(used))
	}
	if err != nil {
		return 0, usage{}, err
	}
	return took, used[0], nil
}

// generate has the CLI generate the configuration of the same surveys.
func (e *estate) generate(ctx context.Context, n int) (time.Duration, error) {
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
	return e.run(ctx, "plan", "-generate-config-out=generated.tf")
}
