package try

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

// Offer is a survey, and what keeps it from somebody.
type Offer struct {
	ID, Name, Type string
	// Obstacles are the checks that failed; without any, the survey is offered.
	Obstacles []doctor.Finding
}

// IsOffered reports whether an SDK shows the survey, or hands it to the app's code.
func (o Offer) IsOffered() bool { return len(o.Obstacles) == 0 }

// Offers are the surveys of the world with what keeps each from a visitor, sorted by name.
func (w *World) Offers(ctx context.Context, visit Visit) ([]Offer, error) {
	flags, err := w.flags(ctx, visit)
	if err != nil {
		return nil, err
	}

	surveys := w.client.Surveys(w.projectID)
	facts := doctor.Facts{
		Now: w.Now(), ShowsSurveys: true, IsKnown: true,
		Responses: func(id string) responses.Number { return responses.NewCounter(surveys, nil).Of(ctx, id) },
	}
	offers := []Offer{}
	for survey, err := range surveys.List(ctx, client.ListOptions{}) {
		if err != nil {
			return nil, err
		}
		findings := doctor.CheckSurvey(survey, facts)
		findings = append(findings, doctor.CheckVisit(survey, doctor.Visit{URL: visit.URL, Device: visit.Device, Flags: flags})...)
		name, _ := survey.Name.Get() // the service returns one
		kind, _ := survey.Type.Get()
		offers = append(offers, Offer{ID: *survey.ID, Name: name, Type: string(kind), Obstacles: obstacles(findings)})
	}
	slices.SortStableFunc(offers, func(a, b Offer) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return offers, nil
}

// obstacles are the findings that keep a survey from somebody: the first of each check, since
// the others of it only follow. The internal flag of a survey that does not run is off, which
// says nothing of the person.
func obstacles(findings []doctor.Finding) []doctor.Finding {
	found := []doctor.Finding{}
	checked := map[string]bool{}
	for _, f := range findings {
		isObstacle := f.Result == doctor.Failed || f.Code == doctor.TypeExternal
		isConsequence := f.Code == doctor.VisitSeen && checked["status"]
		if isObstacle && !isConsequence && !checked[f.Check] {
			checked[f.Check] = true
			found = append(found, f)
		}
	}
	return found
}

// flagsResponse is the part of the response of /flags that decides.
type flagsResponse struct {
	Flags map[string]struct {
		Enabled bool    `json:"enabled"`
		Variant *string `json:"variant"`
		Reason  struct {
			Code        string `json:"code"`
			Description string `json:"description"`
		} `json:"reason"`
	} `json:"flags"`
}

// flags asks for the flags of a visitor as an SDK does.
func (w *World) flags(ctx context.Context, visit Visit) (map[string]doctor.Flag, error) {
	groups, groupProperties := map[string]string{}, map[string]map[string]any{}
	for kind, group := range visit.Groups {
		groups[kind], groupProperties[kind] = group.Key, group.Properties
	}
	body, err := json.Marshal(map[string]any{
		"token": w.Token, "distinct_id": visit.DistinctID, "person_properties": visit.known(),
		"groups": groups, "group_properties": groupProperties,
	})
	if err != nil {
		return nil, err
	}
	text, err := w.send(ctx, http.MethodPost, "/flags/?v=2", body)
	if err != nil {
		return nil, fmt.Errorf("the flags of %q cannot be evaluated: %w", visit.DistinctID, err)
	}

	var evaluated flagsResponse
	if err := json.Unmarshal(text, &evaluated); err != nil {
		return nil, fmt.Errorf("the flags of %q cannot be read: %w", visit.DistinctID, err)
	}
	flags := map[string]doctor.Flag{}
	for key, flag := range evaluated.Flags {
		value := doctor.Flag{IsOn: flag.Enabled, Reason: flag.Reason.Description}
		if flag.Variant != nil {
			value.Variant = *flag.Variant
		}
		flags[key] = value
	}
	return flags, nil
}
