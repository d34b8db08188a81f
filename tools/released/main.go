// Command released installs a released Terraform into a folder:
//
//	released VERSION FOLDER
//
// It checks the signature of the checksums, and the checksum of the program. It ends within ten seconds, and writes
// nothing into the folder but the whole program.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
)

// patience is the time after which a build is the better way to a program.
const patience = 10 * time.Second

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: released VERSION FOLDER")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := install(ctx, releases.ExactVersion{}, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "could not download Terraform %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// install puts the program of a release into a folder. The source says where releases are, and who signs them.
func install(ctx context.Context, source releases.ExactVersion, release, folder string) error {
	wanted, err := version.NewVersion(release)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	// In the same folder, so that a rename is atomic.
	unfinished, err := os.MkdirTemp(folder, ".released-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unfinished) }()

	source.Product, source.Version, source.InstallDir = product.Terraform, wanted, unfinished
	program, err := source.Install(ctx)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("it did not arrive in time: %w", ctx.Err())
	case errors.Is(err, fs.ErrNotExist):
		// hc-install 0.10.0 unpacks nothing then, and loses the error.
		return errors.New("the archive does not have the checksum that the release signs")
	case err != nil:
		return err
	}
	return os.Rename(program, filepath.Join(folder, filepath.Base(program)))
}
