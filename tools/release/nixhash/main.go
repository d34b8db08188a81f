// Command nix-hash prints the SHA-256 of a file as Nix writes it. GoReleaser asks the
// program of that name for the checksums of its Nix packages, so with this one a release
// can be made where Nix is not installed. It knows the one way in which GoReleaser calls it:
//
//	nix-hash --type sha256 --flat --base32 FILE
package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/nix-community/go-nix/pkg/nixbase32"
)

// known are the arguments before the file.
var known = []string{"--type", "sha256", "--flat", "--base32"}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "nix-hash:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != len(known)+1 || !slices.Equal(args[:len(known)], known) {
		return fmt.Errorf("called with %q, which is not %q and a file", args, known)
	}
	file, err := os.Open(args[len(known)])
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()

	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, nixbase32.EncodeToString(hash.Sum(nil)))
	return err
}
