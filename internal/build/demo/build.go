package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// version is the number under which the provider of this tree is installed. It is
// not 0.0.0, which to Terraform means that there is no version.
const version = "0.0.1"

// products says where the things that the demo works with are.
type products struct {
	mirror   string // folder that Terraform installs the provider from
	server   string // program of the test server
	sync     string // program posthog-sync
	examples string // folder of the configuration that is applied
}

// build builds the three programs from the working tree.
func build(ctx context.Context, dir string) (products, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return products{}, err
	}

	built := products{
		mirror:   filepath.Join(dir, "mirror"),
		server:   filepath.Join(dir, executable("posthog-testserver")),
		sync:     filepath.Join(dir, executable("posthog-sync")),
		examples: filepath.Join(root, "examples", "demo"),
	}

	provider := filepath.Join(dir, executable("terraform-provider-posthog_v"+version))
	if err := goBuild(ctx, root, ".", provider); err != nil {
		return products{}, err
	}
	if err := goBuild(ctx, root, "./cmd/posthog-testserver", built.server); err != nil {
		return products{}, err
	}
	if err := goBuild(ctx, root, "./cmd/posthog-sync", built.sync); err != nil {
		return products{}, err
	}

	return built, installInMirror(built.mirror, provider)
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	goMod := strings.TrimSpace(string(out))
	if err != nil || filepath.Base(goMod) != "go.mod" {
		return "", fmt.Errorf("found no go.mod here (%w): call the demo in the tree of the provider", err)
	}
	return filepath.Dir(goMod), nil
}

func goBuild(ctx context.Context, root, pkg, output string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", output, pkg) //nolint:gosec // both are made up here
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// installInMirror lays the provider out as a registry mirror on disk. Terraform
// and OpenTofu look under the name of their own registry.
func installInMirror(mirror, provider string) error {
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		platform := runtime.GOOS + "_" + runtime.GOARCH
		folder := filepath.Join(mirror, host, "surveys-as-code", "posthog", version, platform)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return err
		}
		if err := os.Link(provider, filepath.Join(folder, filepath.Base(provider))); err != nil {
			return err
		}
	}
	return nil
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
