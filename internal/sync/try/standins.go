package try

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// addStandIns adds what surveys refer to by id alone: neither code nor a survey of a service
// says what it is.
func (c *contents) addStandIns(document *snapshot.Document, project int64) error {
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
		references := survey.ReferencesOf(wire)
		name, _ := wire.Name.Get() // a survey without one is refused later
		for _, id := range flagsOf(references) {
			if slices.Contains(flags, id) {
				continue
			}
			flags = append(flags, id)
			if err := addFlag(document, project, id, variantOf(wire)); err != nil {
				return err
			}
			c.notes = append(c.notes, Note{Kind: StandInFlag, Name: name, Value: strconv.FormatInt(id, 10)})
		}
		for _, action := range references.Actions {
			addNamed(&document.Actions, snapshot.Named{ID: action.ID, ProjectID: project, Name: action.Name})
		}
		for _, id := range references.Cohorts {
			addNamed(&document.Cohorts, snapshot.Named{ID: id, ProjectID: project})
		}
	}
	return nil
}

// asResponse is a request in the form in which a service returns the survey, which has the
// targeting as a flag.
func asResponse(request api.SurveyRequest) (api.Survey, error) {
	var wire api.Survey
	if err := recode(request, &wire); err != nil {
		return wire, err
	}

	if id, err := request.TargetingFlagID.Get(); err == nil {
		wire.TargetingFlag.Set(api.FeatureFlag{ID: &id})
	}
	if raw, err := request.TargetingFlagFilters.Get(); err == nil {
		flag := api.FeatureFlag{ID: new(int64(0)), Key: new(survey.OwnFlagPrefix)}
		if err := json.Unmarshal(raw, &flag.Filters); err != nil {
			return wire, fmt.Errorf("targeting_flag_filters: %w", err)
		}
		wire.TargetingFlag.Set(flag)
	}
	return wire, nil
}

// flagsOf are the flags that are known by their ids alone.
func flagsOf(references survey.References) []int64 {
	ids := slices.Clone(references.UnknownFlags)
	for _, text := range references.FlagDependencies {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// addNamed adds an object that surveys refer to, unless it is there.
func addNamed(list *[]snapshot.Named, object snapshot.Named) {
	isListed := slices.ContainsFunc(*list, func(n snapshot.Named) bool { return n.ID == object.ID })
	if !isListed {
		*list = append(*list, object)
	}
}

// addFlag adds a flag that is on for everybody, with the variant that a survey asks for.
func addFlag(document *snapshot.Document, project, id int64, variant string) error {
	filters := map[string]any{"groups": []any{map[string]any{"properties": []any{}, "rollout_percentage": 100}}}
	if variant != "" {
		filters["multivariate"] = map[string]any{"variants": []any{map[string]any{"key": variant, "rollout_percentage": 100}}}
	}
	raw, err := json.Marshal(map[string]any{
		"id": id, "project_id": project, "key": fmt.Sprintf("flag-%d", id), "active": true, "filters": filters,
	})
	if err == nil {
		document.FeatureFlags = append(document.FeatureFlags, raw)
	}
	return err
}

// variantOf is the variant of the linked flag that the conditions of a survey ask for; empty
// for none.
func variantOf(wire api.Survey) string {
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
