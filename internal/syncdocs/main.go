// Command syncdocs writes the reference of posthog-sync from its commands: Markdown
// for docs/sync, or man pages for a release.
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
	man := flag.Bool("man", false, "write man pages instead of Markdown")
	flag.Parse()

	if err := write(*dir, *man); err != nil {
		fmt.Fprintln(os.Stderr, "syncdocs:", err)
		os.Exit(1)
	}
}

// write replaces the directory by the pages of the commands as they are now.
func write(dir string, man bool) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}

	root := cli.Command()
	root.DisableAutoGenTag = true
	if man {
		return doc.GenManTree(root, &doc.GenManHeader{Title: "POSTHOG-SYNC", Section: "1", Source: "posthog-sync"}, dir)
	}
	return doc.GenMarkdownTree(root, dir)
}
