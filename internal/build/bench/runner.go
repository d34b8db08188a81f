package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runner runs the sections: it has the programs that are measured, and a temporary
// folder.
type runner struct {
	root     string // of the module
	dir      string // for everything that is written on the way
	self     string // this program
	provider string // the program of the provider, as it is shipped
	server   string // the program of the test server
	against  string // another build of the test server to compare with, if any
	cli      string // Terraform or OpenTofu
	version  string // of the CLI, as it prints it
	registry string // where the CLI looks for a provider without a host
	sizes    []int  // the numbers of surveys at which the CPU time of plans is measured
	rounds   int    // how often everything is measured
	fixtures map[int]*fixture
	profiles string // folder for CPU profiles of what our provider does in process, if any
}

// manyBlocks is the number of resource blocks above which what takes more than half a
// minute for all of them is measured once.
const manyBlocks = 500

// roundsOf is how often something slow is measured with n resource blocks.
func (g *runner) roundsOf(n int) int {
	if n > manyBlocks {
		return 1
	}
	return g.rounds
}

// build builds the programs from the working directory's module.
func (g *runner) build(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	goMod := strings.TrimSpace(string(out))
	if err != nil || filepath.Base(goMod) != "go.mod" {
		return fmt.Errorf("found no go.mod here (%w): run the benchmark inside the module of the provider", err)
	}
	g.root = filepath.Dir(goMod)
	if g.self, err = os.Executable(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", g.dir+string(filepath.Separator), ".", "./cmd/posthog-testserver")
	cmd.Dir = g.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	g.provider, g.server = filepath.Join(g.dir, "terraform-provider-posthog"), filepath.Join(g.dir, "posthog-testserver")
	return g.findCLI(ctx)
}

// findCLI finds Terraform or OpenTofu.
func (g *runner) findCLI(ctx context.Context) (err error) {
	if chosen := os.Getenv("TF_ACC_TERRAFORM_PATH"); chosen != "" {
		g.cli, err = filepath.Abs(chosen)
	} else if g.cli, err = exec.LookPath("terraform"); err != nil {
		err = fmt.Errorf("there is no terraform in PATH; \"make bench\" builds an OpenTofu and uses that: %w", err)
	}
	if err != nil {
		return err
	}

	cmd := exec.CommandContext(ctx, g.cli, "version")
	cmd.Env = append(cleanEnvironment(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s version: %w", filepath.Base(g.cli), err)
	}

	g.version, _, _ = strings.Cut(string(out), "\n")

	g.registry = "registry.terraform.io"
	if strings.Contains(g.version, "OpenTofu") {
		g.registry = "registry.opentofu.org"
	}
	return nil
}
