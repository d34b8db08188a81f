package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// loggedEntries is the number of entries of an activity feed that are read.
const loggedEntries = 100

// feeds are the activity feeds of surveys by address. That of one that cannot be read is
// empty.
type feeds map[string][][]activity.Entry

// recallLogged reads the feeds of the surveys of which the code seems to be edited: it may
// be behind what the service held since the last apply. A feed that cannot be read changes
// nothing. It reports whether any says something new.
func (p *program) recallLogged(ctx context.Context, e environment.Environment, resources []pull.Resource, findings []pull.Finding, known feeds) bool {
	isEdited := map[string]bool{}
	for _, finding := range findings {
		if finding.Outcome == hcledit.Pending || finding.Outcome == hcledit.Conflict {
			isEdited[finding.Resource.Address] = true
		}
	}

	changed := false
	for i := range resources {
		r := &resources[i]
		if !isEdited[r.Address] || r.Type != hclfile.SurveyType || r.ID == "" || r.Disposition != "" {
			continue
		}
		if _, ok := known[r.Address]; !ok {
			known[r.Address] = p.feedOf(ctx, e, *r)
		}
		if r.RecallLogged(ctx, known[r.Address]) {
			changed = true
		}
	}
	return changed
}

// feedOf is the activity feed of a survey; nil for one that the key may not read, and for
// one that is none.
func (p *program) feedOf(ctx context.Context, e environment.Environment, r pull.Resource) [][]activity.Entry {
	c, err := p.client(e)
	if err != nil {
		return nil
	}
	body, err := c.Surveys(r.ParentID).Activity(ctx, r.ID, loggedEntries)
	if err != nil {
		return nil
	}
	requests, err := activity.Requests(body)
	if err != nil {
		return nil
	}
	return requests
}
