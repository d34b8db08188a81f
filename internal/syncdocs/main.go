// Command syncdocs writes the reference of posthog-sync from its commands, as Markdown for
// docs/sync.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/cli"
)

func main() {
	dir := flag.String("dir", "docs/sync", "`directory` to write to; its files are replaced")
	flag.Parse()

	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "syncdocs:", err)
		os.Exit(1)
	}
}

// write replaces the directory by the pages of the commands as they are now.
func write(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}

	root := cli.Command()
	root.DisableAutoGenTag = true
	return doc.GenMarkdownTree(root, dir)
}
