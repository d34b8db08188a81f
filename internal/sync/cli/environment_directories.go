package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// checkAll refuses a command line that cannot be run for several environments.
func (p *program) checkAll(cmd *cobra.Command, args []string) error {
	verb := verbOf(cmd)
	if p.flags.format == formatSARIF {
		return errors.New("--format sarif is for one environment: name it with --env")
	}
	if verb == "preview" && !cmd.Flags().Changed("png") {
		return errors.New("preview serves the pages of one environment: name it with --env, or give --png a directory")
	}

	file, writes := writtenBy(cmd, args)
	if writes && !strings.Contains(file, environmentPlaceholder) {
		own := filepath.Join(file, environmentPlaceholder)
		if verb == "snapshot" {
			own = filepath.Join(filepath.Dir(file), environmentPlaceholder+"-"+filepath.Base(file))
		}
		return fmt.Errorf("%s would write each environment to %q: give each a place of its own with %s in the path, such as %s",
			verb, file, environmentPlaceholder, own)
	}
	return nil
}

// writtenBy is the file or directory that a command writes; false if it writes none.
func writtenBy(cmd *cobra.Command, args []string) (path string, writes bool) {
	isSet := func(flag string) bool { return cmd.Flags().Changed(flag) }
	path = optional(args, ".")

	switch verbOf(cmd) {
	case "export":
		return path, !isSet("stdout")
	case "pull":
		return path, !isSet("dry-run")
	case "repair":
		ids := cmd.Flags().Lookup("write-ids")
		return ids.Value.String(), ids.Changed && !isSet("dry-run")
	case "snapshot":
		return path, len(args) > 0 && path != "-"
	case "draw", "keys":
		out := cmd.Flags().Lookup("out")
		return out.Value.String(), out.Changed
	case "preview":
		png := cmd.Flags().Lookup("png")
		return png.Value.String(), png.Changed
	}
	return "", false
}
