package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("posthog\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	var printed bytes.Buffer
	if err := run([]string{"--type", "sha256", "--flat", "--base32", path}, &printed); err != nil {
		t.Fatal(err)
	}
	// What nix-hash 2.8.0 prints.
	if want := "0k1wji4z8ki6y9lsmdgmx6d3wy93xs68dj658957al6832qlnl7c\n"; printed.String() != want {
		t.Errorf("printed %q, want %q", printed.String(), want)
	}

	for _, args := range [][]string{nil, {path}, {"--type", "md5", "--flat", "--base32", path}} {
		if err := run(args, &printed); err == nil {
			t.Errorf("the arguments %q must be rejected", args)
		}
	}
}
