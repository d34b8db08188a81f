package testserver

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// AddResponses adds responses of people to a survey, sent at the time of the server's clock,
// as if an app had shown it. They count like any others: in responses_count, for a limit, and
// in the report when a later write cuts them off.
func (d *direct) AddResponses(surveyID string, count int) error {
	if count < 0 {
		return fmt.Errorf("survey %s: %d responses: the number must not be below 0", surveyID, count)
	}
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	found, err := findSurvey(d.contents.store, surveyID)
	if err != nil {
		return err
	}
	d.contents.store.AddResponse(store.ResponseCount{Survey: found.ID, Project: found.Project, Count: int64(count), At: field.TimestampText(d.contents.time())})
	return nil
}
