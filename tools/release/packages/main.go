// Command packages checks what package managers read of a release: the casks of Homebrew,
// the manifests of winget, the packages of Nix and the registry of aqua. Each must name an
// archive of the release by the address that it will have, with its checksum, and only
// files that are in that archive. It reads the folder that GoReleaser wrote, and needs
// neither a network nor any of these package managers:
//
//	go run ./packages -registry aqua-registry.yaml DIST
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// programs are what is packaged.
var programs = []string{"posthog-sync", "posthog-testserver"}

func main() {
	registry := flag.String("registry", "aqua-registry.yaml", "`file` with the registry of aqua")
	all := flag.Bool("all", false, "the release has archives for every platform")
	flag.Parse()

	if err := run(flag.Arg(0), *registry, *all, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(dist, registry string, all bool, out io.Writer) error {
	released, err := readRelease(dist)
	if err != nil {
		return err
	}

	var failures []error
	for _, program := range programs {
		failures = append(failures,
			released.checkArchives(program),
			released.checkCask(program),
			released.checkWinget(program),
			released.checkNix(program),
		)
	}
	failures = append(failures, released.checkAqua(registry, all))
	if err := errors.Join(failures...); err != nil {
		return err
	}

	_, err = fmt.Fprintf(out, "%d archives of version %s, with what Homebrew, winget, Nix and aqua read of them\n",
		len(released.archives), released.version)
	return err
}
