package cli

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/terraformcli"
)

// verifyExport plans the directory with the provider of this build. It fails unless
// every change is a no-op, an import included.
func (p *program) verifyExport(ctx context.Context, e environment.Environment, dir string, wanted bool) error {
	if !wanted {
		return nil
	}
	cli, err := p.terraform(e)
	if err != nil {
		return err
	}
	plan, err := cli.Plan(ctx, dir, terraformcli.PlanOptions{})
	if err != nil {
		return err
	}

	imports, unchanged := 0, 0
	var changes []string
	for _, change := range plan.ResourceChanges {
		switch {
		case change.Change == nil:
		case !change.Change.Actions.NoOp() && !change.Change.Actions.Read():
			changes = append(changes, plannedChange(change))
		case change.Change.Importing != nil:
			imports++
		default:
			unchanged++
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("%s would change %s:\n  %s", cli.Name(), count(len(changes), "resource"), strings.Join(changes, "\n  "))
	}
	p.logf("Verified by %s plan: %s to import, %d unchanged, nothing to change.", cli.Name(), count(imports, "object"), unchanged)
	return nil
}

// plannedChange names a resource, what would be done to it, and its attributes that
// would change.
func plannedChange(change *tfjson.ResourceChange) string {
	words := make([]string, len(change.Change.Actions))
	for i, action := range change.Change.Actions {
		words[i] = string(action)
	}
	line := change.Address + ": " + strings.Join(words, ", ")
	if paths := changedPaths("", change.Change.Before, change.Change.After, change.Change.AfterUnknown); len(paths) > 0 && change.Change.Actions.Update() {
		line += " of " + strings.Join(paths, ", ")
	}
	return line
}

// changedPaths are the paths of attributes that differ, as deep as both sides have
// the same keys.
func changedPaths(at string, before, after, unknown any) []string {
	if unknown == true {
		return []string{at + " (known after apply)"}
	}

	if reflect.DeepEqual(before, after) && !hasTrue(unknown) {
		return nil
	}

	if was, ok := before.(map[string]any); ok {
		is, okIs := after.(map[string]any)
		open, _ := unknown.(map[string]any)
		if okIs {
			return changedKeys(at, was, is, open)
		}
	}

	was, okWas := before.([]any)
	is, okIs := after.([]any)
	if !okWas || !okIs || len(was) != len(is) {
		return []string{at}
	}

	open, _ := unknown.([]any)

	var paths []string
	for i := range was {
		var element any
		if i < len(open) {
			element = open[i]
		}
		paths = append(paths, changedPaths(fmt.Sprintf("%s[%d]", at, i), was[i], is[i], element)...)
	}

	return paths
}

func changedKeys(at string, was, is, unknown map[string]any) []string {
	keys := maps.Clone(is)
	maps.Copy(keys, was)
	maps.Copy(keys, unknown)
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		below := key
		if at != "" {
			below = at + "." + key
		}
		paths = append(paths, changedPaths(below, was[key], is[key], unknown[key])...)
	}
	return paths
}

// hasTrue reports whether anything in the marks of unknown values is set.
func hasTrue(marks any) bool {
	switch marks := marks.(type) {
	case bool:
		return marks
	case []any:
		return slices.ContainsFunc(marks, hasTrue)
	case map[string]any:
		for _, mark := range marks {
			if hasTrue(mark) {
				return true
			}
		}
	}
	return false
}
