package cli

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/terraformcli"
)

// verifyExport plans the directory with the provider of this build. It fails unless every
// change is a no-op or an import.
func (p *program) verifyExport(ctx context.Context, e environment.Environment, dir string) error {
	tf, err := p.terraform(e)
	if err != nil {
		return err
	}
	plan, err := tf.Plan(ctx, dir, terraformcli.PlanOptions{})
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
	if paths := changedPaths("", change.Change.Before, change.Change.After, change.Change.AfterUnknown); len(paths) > 0 && change.Change.Actions.Update() {
		line += " of " + strings.Join(paths, ", ")
	}
	return line
}

// changedPaths are the paths of the values that differ. It descends into objects, and into
// lists of the same length. unknown are the values known only after apply, in the form of a
// plan.
func changedPaths(path string, before, after, unknown any) []string {
	if unknown == true {
		return []string{path + " (known after apply)"}
	}
	if reflect.DeepEqual(before, after) && !hasTrue(unknown) {
		return nil
	}

	objectBefore, isObject := before.(map[string]any)
	objectAfter, staysObject := after.(map[string]any)
	if isObject && staysObject {
		unknownKeys, _ := unknown.(map[string]any)
		return changedKeys(path, objectBefore, objectAfter, unknownKeys)
	}

	listBefore, isList := before.([]any)
	listAfter, staysList := after.([]any)
	if !isList || !staysList || len(listBefore) != len(listAfter) {
		return []string{path}
	}
	unknownElements, _ := unknown.([]any)
	var paths []string
	for i := range listBefore {
		var element any
		if i < len(unknownElements) {
			element = unknownElements[i]
		}
		paths = append(paths, changedPaths(fmt.Sprintf("%s[%d]", path, i), listBefore[i], listAfter[i], element)...)
	}
	return paths
}

func changedKeys(path string, before, after, unknown map[string]any) []string {
	keys := maps.Clone(after)
	maps.Copy(keys, before)
	maps.Copy(keys, unknown)
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		child := key
		if path != "" {
			child = path + "." + key
		}
		paths = append(paths, changedPaths(child, before[key], after[key], unknown[key])...)
	}
	return paths
}

// hasTrue reports whether any of the marks of unknown values is set.
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
