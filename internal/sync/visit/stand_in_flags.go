package visit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// addStandIns adds stand-ins for objects that surveys reference only by ID. Neither the configuration nor
// survey responses contain these objects' definitions.
func (c *contents) addStandIns(document *snapshot.Document) error {
	surveys := slices.Clone(c.held)
	for _, planned := range c.planned {
		wire, err := asResponse(planned.request)
		if err != nil {
			return fmt.Errorf("survey %q: %w", planned.name, err)
		}
		surveys = append(surveys, wire)
	}

	var flags []int64
	for _, wire := range surveys {
		references := survey.FindReferences(wire)
		name, _ := wire.Name.Get() // a later check rejects a survey without a name
		for _, id := range unknownFlags(references) {
			if slices.Contains(flags, id) {
				continue
			}
			flags = append(flags, id)
			if err := document.AddFlag(id, newStandIn(id, linkedVariant(wire))); err != nil {
				return err
			}
			c.notes = append(c.notes, fmt.Sprintf("Only the ID of feature flag %d of survey %q is known, so it is treated as on for everyone.", id, name))
		}
		for _, action := range references.Actions {
			document.AddNamed(&document.Actions, action.ID, action.Name)
		}
		for _, id := range references.Cohorts {
			document.AddNamed(&document.Cohorts, id, "")
		}
	}
	return nil
}

// unknownFlags returns the flags of which only the ID is known.
func unknownFlags(references survey.References) []int64 {
	ids := slices.Clone(references.UnknownFlags)
	for _, text := range references.FlagDependencies {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// newStandIn returns a flag that is enabled for all persons, with the variant that a survey requires.
func newStandIn(id int64, variant string) map[string]any {
	filters := map[string]any{"groups": []any{map[string]any{"properties": []any{}, "rollout_percentage": 100}}}
	if variant != "" {
		filters["multivariate"] = map[string]any{"variants": []any{map[string]any{"key": variant, "rollout_percentage": 100}}}
	}
	return map[string]any{"key": fmt.Sprintf("flag-%d", id), "active": true, "filters": filters}
}

// linkedVariant returns the linked flag's variant that a survey's conditions require, or an empty string.
func linkedVariant(wire api.Survey) string {
	raw, err := wire.Conditions.Get()
	if err != nil {
		return ""
	}
	var conditions struct {
		Variant string `json:"linkedFlagVariant"`
	}
	if json.Unmarshal(raw, &conditions) != nil || conditions.Variant == "any" {
		return ""
	}
	return conditions.Variant
}
