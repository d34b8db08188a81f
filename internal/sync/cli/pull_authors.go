package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// addAuthors adds to each row who made the edit, and when. rows are the rows of the report
// for findings, in the same order.
func (p *program) addAuthors(ctx context.Context, e environment.Environment, findings []pull.Finding, rows []pullFinding) error {
	c, err := p.client(e)
	if err != nil {
		return err
	}

	entries := map[string][]activity.Entry{}
	for i, finding := range findings {
		r := finding.Resource
		if finding.Outcome == hcledit.Pending || r.ID == "" {
			continue
		}

		if _, ok := entries[r.Address]; !ok {
			body, err := activityOf(ctx, c, r)
			if err != nil {
				return fmt.Errorf("--by: cannot read who changed %s: %w", r.Address, err)
			}
			if entries[r.Address], err = activity.Entries(body); err != nil {
				return fmt.Errorf("--by: the activity feed of %s has another shape than expected: %w", r.Address, err)
			}
		}

		if entry, ok := newest(entries[r.Address], r.ID, pull.Root(finding.Attribute)); ok {
			rows[i].By, rows[i].At = entry.User.ValueString(), entry.At.ValueString()
		}
	}
	return nil
}

func activityOf(ctx context.Context, c *client.Client, r pull.Resource) (json.RawMessage, error) {
	if r.Type == hclfile.AppType {
		return c.PipelineImportApps(r.ParentID).AllActivity(ctx, 0)
	}
	return c.Surveys(r.ParentID).Activity(ctx, r.ID, 0)
}

// fieldsOf are the fields of the activity log for an argument.
func fieldsOf(argument string) []string {
	switch argument {
	case "status":
		return []string{"start_date", "end_date"}
	case "targeting_flag_filters", "targeting_flag_id":
		return []string{"targeting_flag_filters", "targeting_flag_id", "targeting_flag"}
	}
	return []string{argument}
}

// newest is the newest entry of an object for an argument, or for any if argument is empty.
func newest(entries []activity.Entry, id, argument string) (activity.Entry, bool) {
	for _, entry := range entries { // newest first
		isOf := entry.ID.IsNull() || entry.ID.ValueString() == id
		if isOf && (argument == "" || slices.Contains(fieldsOf(argument), entry.Field.ValueString())) {
			return entry, true
		}
	}
	return activity.Entry{}, false
}
