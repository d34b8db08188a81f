package testserver

import (
	"encoding/json"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// CohortsRetrieve responds with the fields of a cohort that clients of surveys need.
func (o *operations) CohortsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.CohortID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		c := x.store.Cohorts.Get(id)
		if c == nil || c.Project != x.project.ID {
			return response{}, field.ObjectNotFound()
		}
		return x.withObject(rawjson.Pairs{
			{Name: "id", Value: rawjson.Encode(c.ID)},
			{Name: "name", Value: rawjson.Quote(c.Name)},
			{Name: "is_static", Value: rawjson.Encode(c.IsStatic)},
			{Name: "filters", Value: cohortFilters(c)},
		}), nil
	})
}

// cohortFilters are the filters of a cohort. Of a behavioral one, fixtures may have the
// conditions on events alone.
func cohortFilters(c *store.Cohort) json.RawMessage {
	if c.Filters != nil || len(c.Events) == 0 {
		return rawjson.Encode(c.Filters)
	}
	conditions := []any{}
	for _, event := range c.Events {
		conditions = append(conditions, map[string]any{"type": "behavioral", "key": event.Key, "value": event.Value, "event_type": "events"})
	}
	return rawjson.Encode(map[string]any{"properties": map[string]any{"type": "OR", "values": []any{map[string]any{"type": "OR", "values": conditions}}}})
}
