package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The versions of Prism and of all its dependencies.
//
//go:embed prism/package.json prism/package-lock.json
var prismPackage embed.FS

// errNoNPM is returned where Prism cannot be installed.
var errNoNPM = errors.New("there is no npm in PATH")

// installPrism installs Prism, unless it is installed, into a directory that git and the go
// command ignore, and returns its program.
func (g *runner) installPrism(ctx context.Context) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errNoNPM
	}
	folder := filepath.Join(g.root, "bin", ".prism")
	program := filepath.Join(folder, "node_modules", ".bin", "prism")
	fresh, err := writePackage(folder)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(program); err == nil && !fresh {
		return program, nil
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return program, nil
}

// writePackage writes the files that npm installs from, and reports whether they have
// changed.
func writePackage(folder string) (fresh bool, err error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return false, err
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		wanted, err := prismPackage.ReadFile("prism/" + name)
		if err != nil {
			return false, err
		}
		path := filepath.Join(folder, name)
		if had, err := os.ReadFile(path); err == nil && bytes.Equal(had, wanted) {
			continue
		}
		fresh = true
		if err := os.WriteFile(path, wanted, 0o600); err != nil {
			return false, err
		}
	}
	return fresh, nil
}

// startPrism starts Prism with the contract, and returns when it answers.
func (g *runner) startPrism(ctx context.Context) (*process, string, error) {
	program, err := g.installPrism(ctx)
	if err != nil {
		return nil, "", err
	}

	// Prism does not print the port that it gets, so it is given one that is free now.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err = errors.Join(err, listener.Close()); err != nil {
		return nil, "", err
	}

	p, err := start(ctx, program, "mock", "--host", host, "--port", port, "--verboseLevel", "silent",
		filepath.Join(g.root, "internal", "api", "openapi.yaml"))
	if err != nil {
		return nil, "", err
	}

	url := "http://" + net.JoinHostPort(host, port)
	if err := ready(ctx, url); err != nil {
		return nil, "", errors.Join(fmt.Errorf("prism does not answer: %w", err), p.stop())
	}

	return p, url, nil
}

// ready waits until a server answers anything at all.
func ready(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	const pause = 100 * time.Millisecond
	for {
		_, _, err := ask(ctx, "GET", url+"/", "")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
