// Command releasefiles writes the files of a release's archives besides the programs
// posthog-sync and posthog-testserver: man pages and completion scripts, as PROGRAM/man/*.1
// and PROGRAM/completions/* in a directory. SOURCE_DATE_EPOCH is the date on man pages.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testservercli"
)

func main() {
	dir := flag.String("dir", "", "`directory` to write to; it is replaced")
	flag.Parse()

	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "releasefiles:", err)
		os.Exit(1)
	}
}

// write replaces a directory by the files of both programs.
func write(dir string) error {
	if dir == "" {
		return errors.New("name the directory with -dir")
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}

	server, err := testservercli.Command()
	if err != nil {
		return err
	}
	for _, root := range []*cobra.Command{cli.Command(), server} {
		folder := filepath.Join(dir, root.Name())
		if err := writeManPages(root, filepath.Join(folder, "man")); err != nil {
			return err
		}
		if err := writeCompletions(root, filepath.Join(folder, "completions")); err != nil {
			return err
		}
	}
	return nil
}

// writeManPages writes a page for each command.
func writeManPages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	name := root.Name()
	return doc.GenManTree(root, &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: name}, dir)
}

// writeCompletions writes a script for each shell, under the name that the shell looks
// for.
func writeCompletions(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	name := root.Name()
	return errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(dir, name+".bash"), true),
		root.GenZshCompletionFile(filepath.Join(dir, "_"+name)),
		root.GenFishCompletionFile(filepath.Join(dir, name+".fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(dir, name+".ps1")),
	)
}
