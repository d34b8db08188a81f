package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/surveys-as-code/terraform-provider-posthog/cmd/posthog-testserver/commandline"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli"
)

// writeRelease replaces the contents of a directory with the files of both programs: a man page for each command, and
// a completion script for each shell, under the name that the shell expects.
func writeRelease(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}

	server, err := commandline.Command()
	if err != nil {
		return err
	}

	for _, root := range []*cobra.Command{cli.Command(), server} {
		name := root.Name()
		man, completions := filepath.Join(dir, name, "man"), filepath.Join(dir, name, "completions")
		if err := errors.Join(os.MkdirAll(man, 0o750), os.MkdirAll(completions, 0o750)); err != nil {
			return err
		}

		root.DisableAutoGenTag = true
		if err := errors.Join(
			doc.GenManTree(root, &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: name}, man),
			root.GenBashCompletionFileV2(filepath.Join(completions, name+".bash"), true),
			root.GenZshCompletionFile(filepath.Join(completions, "_"+name)),
			root.GenFishCompletionFile(filepath.Join(completions, name+".fish"), true),
			root.GenPowerShellCompletionFileWithDesc(filepath.Join(completions, name+".ps1")),
		); err != nil {
			return err
		}
	}
	return nil
}
