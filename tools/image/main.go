// Command image builds the image of the test server as an OCI archive, with neither a
// daemon nor a base image to pull: ko puts the program, which needs no other file, on top
// of an empty base, with the licences of what it is made of. It then checks what the archive contains.
//
// With -push the image that was checked is sent to a registry, with the credentials that
// "docker login" or "podman login" wrote for it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// platforms are the platforms of the image.
var platforms = []string{"linux/amd64", "linux/arm64"}

func main() {
	root := flag.String("root", ".", "`folder` of the module")
	out := flag.String("o", "posthog-testserver.tar", "`file` for the OCI archive")
	version := flag.String("version", "0.0.1", "`version` of the image, for its label")
	repository := flag.String("push", "", "`repository` to push the image to, such as ghcr.io/OWNER/NAME; nowhere when empty")
	flag.Parse()

	ctx := context.Background()
	err := run(ctx, *root, *out, *version)
	if err == nil && *repository != "" {
		err = push(ctx, *out, *repository, *version, os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "image: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, out, version string) error {
	index, err := build(ctx, root, version)
	if err != nil {
		return err
	}

	folder, err := os.MkdirTemp("", "image")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := writeArchive(index, filepath.Join(folder, "layout"), out); err != nil {
		return err
	}

	described, err := check(ctx, out, filepath.Join(folder, "checked"))
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	fmt.Print(described)
	return nil
}
