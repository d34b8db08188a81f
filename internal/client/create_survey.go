package client

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// CreateOnce makes a survey and never a second one: when the answer is lost, it looks
// for the survey by its name, which is unique in a project. Its errors are those of
// Create, an [AmbiguousCreateError], and a [ConflictError] for a name that is taken.
func (s *Surveys) CreateOnce(ctx context.Context, body api.SurveyRequest) (api.Survey, error) {
	name, _ := body.Name.Get()
	name = strings.TrimSpace(name) // as the service stores it
	return creation[api.Survey]{
		client: s.client, isTaken: IsUniqueName, isTold: true, isOnly: true,
		post: func(ctx context.Context) (api.Survey, error) { return s.Create(ctx, body) },
		find: func(ctx context.Context) ([]api.Survey, time.Time, error) {
			return search(ctx, s.client, "surveys_list", s.listRequest, func(one api.Survey) bool {
				told, err := one.Name.Get()
				return err == nil && one.ID != nil && strings.TrimSpace(told) == name
			})
		},
		isOurs: func(one api.Survey, since time.Time) bool {
			told, _ := one.CreatedAt.Get()
			made, err := time.Parse(time.RFC3339Nano, told)
			return err == nil && !made.Before(since) && tells(one, body, rewritten)
		},
		id: func(one api.Survey) string { return *one.ID },
	}.once(ctx)
}

// listRequest asks for the first page of a list, of a size.
func (s *Surveys) listRequest(limit int) (*http.Request, error) {
	return api.NewSurveysListRequest(s.client.server, s.projectID, &api.SurveysListParams{Limit: ListOptions{PageSize: limit}.limit()})
}
