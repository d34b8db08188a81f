package cli

import (
	"context"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
)

// verifyExport plans the directory with the provider of this build. It fails unless every
// change is a no-op or an import.
func (p *program) verifyExport(ctx context.Context, e environment.Environment, dir string) error {
	tf, err := p.terraform(e)
	if err != nil {
		return err
	}
	plan, err := tf.Plan(ctx, dir)
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
		return fmt.Errorf("%s would change %s:\n  %s", tf.Name(), count(len(changes), "resource"), strings.Join(changes, "\n  "))
	}
	p.logf("Verified by %s plan: %s to import, %d unchanged, nothing to change.", tf.Name(), count(imports, "object"), unchanged)
	return nil
}

// plannedChange describes a change: the address, the actions and the attributes that would
// change.
func plannedChange(change *tfjson.ResourceChange) string {
	words := make([]string, len(change.Change.Actions))
	for i, action := range change.Change.Actions {
		words[i] = string(action)
	}
	line := change.Address + ": " + strings.Join(words, ", ")
	if paths := changedPaths(change.Change.Before, change.Change.After, change.Change.AfterUnknown); len(paths) > 0 && change.Change.Actions.Update() {
		line += " of " + strings.Join(paths, ", ")
	}
	return line
}

// changedPaths are the paths of the values that differ. It descends into objects, and into
// lists of the same length. unknown are the values known only after apply, in the form of a
// plan.
func changedPaths(before, after, unknown any) []string {
	var paths []string
	after = jsonvalue.Replace(after, unknown, func(any) any { return knownAfterApply{} })
	jsonvalue.Diff(before, after, func(path jsonvalue.Path, _, after any) {
		text := path.String()
		if after == (knownAfterApply{}) {
			text += " (known after apply)"
		}
		paths = append(paths, text)
	})
	return paths
}

// knownAfterApply stands for a value of which a plan says nothing else.
type knownAfterApply struct{}
