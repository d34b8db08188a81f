// Command reference generates files from the programs themselves:
//
//   - for users, the posthog-sync reference as Markdown in docs/sync, and the keys of JSON attributes on a resource's
//     page;
//   - for reviews, the provider's schema as Terraform prints it, schemas/provider.json;
//   - for editors, the JSON Schema of YAML survey files, schemas/surveys.schema.json;
//   - for a release, the man pages and completion scripts in the archives of posthog-sync and posthog-testserver.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra/doc"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli"
)

func main() {
	pages := flag.String("pages", "", "`directory` to replace with the pages of the posthog-sync commands")
	release := flag.String("release", "", "`directory` to replace with man pages and completion scripts, as PROGRAM/man/*.1 and PROGRAM/completions/*; SOURCE_DATE_EPOCH is their date")
	schema := flag.String("schema", "", "`file` to replace with the provider's schema")
	surveys := flag.String("surveys", "", "`file` to replace with the JSON Schema of YAML survey files")
	keys := flag.String("keys", "", "`file` in which to replace the mark with the keys of JSON attributes")
	terraform := flag.String("terraform", "terraform", "`program` that prints the schema: a Terraform that supports actions and list resources")
	flag.Parse()

	var err error
	if *pages != "" {
		err = writeReference(*pages)
	}
	if *release != "" {
		err = errors.Join(err, writeRelease(*release))
	}
	if *schema != "" {
		err = errors.Join(err, writeSchema(context.Background(), *terraform, *schema))
	}
	if *surveys != "" {
		err = errors.Join(err, writeSurveysSchema(*surveys))
	}
	if *keys != "" {
		err = errors.Join(err, writeKeys(*keys))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// writeReference replaces the contents of a directory with the current pages of all commands.
func writeReference(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}

	root := cli.Command()
	root.DisableAutoGenTag = true
	if err := doc.GenMarkdownTree(root, dir); err != nil {
		return err
	}

	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := shorten(page); err != nil {
			return err
		}
	}
	return nil
}

const (
	inherited     = "### Options inherited from parent commands\n"
	seeAlso       = "### SEE ALSO\n"
	commonOptions = "### Common options\n\nThe [options of all commands](posthog-sync.md#options), such as `--env` and `--format`, apply too.\n\n"
)

// shorten replaces the global options in a page with a link to the root command's page, which lists them.
func shorten(page string) error {
	text, err := os.ReadFile(page) //nolint:gosec // a page that was just written
	if err != nil {
		return err
	}
	ownText, rest, hasMark := strings.Cut(string(text), inherited)
	if !hasMark {
		return nil
	}
	_, links, _ := strings.Cut(rest, seeAlso)
	return os.WriteFile(page, []byte(ownText+commonOptions+seeAlso+links), 0o600) //nolint:gosec // a page that was just written
}
