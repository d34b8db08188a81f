package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/shard"
)

// environmentsVariable names the environments of a shard, separated by commas, as the
// verb shard assigns them.
const environmentsVariable = "POSTHOG_SYNC_ENVIRONMENTS"

// assigned are the names of the environments of this run: those of the variable, else the
// part that --shard selects, else all.
func (p *program) assigned() ([]string, error) {
	part, err := shard.ParsePart(p.flags.shard)
	if err != nil {
		return nil, fmt.Errorf("--shard %w", err)
	}
	set, err := p.environments()
	if err != nil {
		return nil, err
	}

	if list := p.getenv(environmentsVariable); list != "" {
		names := strings.Split(list, ",")
		for i, name := range names {
			if name == "" || slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("%s is %q: it must be names of environments, each once, separated by commas", environmentsVariable, list)
			}
			if _, err := set.Get(name); err != nil {
				return nil, fmt.Errorf("%s: %w", environmentsVariable, err)
			}
		}
		return names, nil
	}
	if part.Of == 0 {
		return set.Names(), nil
	}

	// Every job has to compute the same parts, so this makes no request.
	var all []shard.Environment
	for _, name := range set.Names() {
		e, err := set.Get(name)
		if err != nil {
			return nil, err
		}
		all = append(all, shard.Environment{Name: name, Key: e.BaseURL + " " + e.APIKeyVariable})
	}
	return part.Shard(shard.Pack(all, part.Of, 0)).Names(), nil
}

// checkAll refuses a command line that cannot be run for several environments.
func (p *program) checkAll(cmd *cobra.Command, args []string) error {
	verb := verbOf(cmd)
	if p.flags.format == formatSARIF {
		return errors.New("--format sarif is for one environment: name it with --env")
	}
	if slices.Contains([]string{"shard", "merge-reports"}, verb) {
		return fmt.Errorf("%s already covers all environments: leave out --all-environments", verb)
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
	path = "."
	if len(args) > 0 {
		path = args[0]
	}

	switch verbOf(cmd) {
	case "export":
		return path, !isSet("stdout")
	case "pull":
		return path, !isSet("dry-run")
	case "snapshot":
		return path, len(args) > 0 && path != "-"
	case "draw":
		out := cmd.Flags().Lookup("out")
		return out.Value.String(), out.Changed
	case "preview":
		png := cmd.Flags().Lookup("png")
		return png.Value.String(), png.Changed
	}
	return "", false
}
