package cli

import (
	"fmt"
	"slices"
	"strings"

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
