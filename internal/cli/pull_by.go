package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/pull"
)

// attribute says who made each edit, and when. findings and rows are the same, in one
// order.
func (p *program) attribute(ctx context.Context, e environment.Environment, findings []pull.Finding, rows []pullFinding) error {
	c, err := p.client(e)
	if err != nil {
		return err
	}

	read := map[string][]activity.Entry{}
	for i, finding := range findings {
		one := finding.Resource
		if finding.Outcome == hcledit.Pending || one.ID == "" {
			continue
		}

		if _, ok := read[one.Address]; !ok {
			body, err := activityOf(ctx, c, one)
			if err != nil {
				return fmt.Errorf("--by: cannot read who changed %s: %w", one.Address, err)
			}
			if read[one.Address], err = activity.Entries(body); err != nil {
				return fmt.Errorf("--by: %s: %w", one.Address, err)
			}
		}

		if entry, ok := newest(read[one.Address], one.ID, pull.Root(finding.Attribute)); ok {
			rows[i].By, rows[i].At = entry.User.ValueString(), entry.At.ValueString()
		}
	}
	return nil
}

func activityOf(ctx context.Context, c *client.Client, one pull.Resource) (json.RawMessage, error) {
	if one.Type == hclfile.AppType {
		return c.PipelineImportApps(one.ParentID).AllActivity(ctx, 0)
	}
	return c.Surveys(one.ParentID).Activity(ctx, one.ID, 0)
}

// fieldsOf are the fields of the activity log that concern an argument.
func fieldsOf(argument string) []string {
	switch argument {
	case "status":
		return []string{"start_date", "end_date"}
	case "targeting_flag_filters", "targeting_flag_id":
		return []string{"targeting_flag_filters", "targeting_flag_id", "targeting_flag"}
	}
	return []string{argument}
}

// newest is the newest entry of an object that concerns an argument; for the object as
// a whole, the newest of all.
func newest(entries []activity.Entry, id, argument string) (activity.Entry, bool) {
	for _, entry := range entries { // newest first
		isOf := entry.ID.IsNull() || entry.ID.ValueString() == id
		if isOf && (argument == "" || slices.Contains(fieldsOf(argument), entry.Field.ValueString())) {
			return entry, true
		}
	}
	return activity.Entry{}, false
}
