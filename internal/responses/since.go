package responses

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
)

// QuestionsAdded returns when questions were added to a survey that existed, by their ids, as
// far as its activity feed goes: nothing for a feed that cannot be read.
func (c *Counter) QuestionsAdded(ctx context.Context, id string) map[string]time.Time {
	entries, err := c.feed(ctx, id)
	if err != nil {
		return nil
	}
	return questionsAdded(entries)
}

// questionsAdded reads a feed, whose newest entry is the first. The oldest entry with a
// question counts: one that is in the list before it is as old as the feed, or older.
func questionsAdded(entries []activity.Entry) map[string]time.Time {
	added, seen := map[string]time.Time{}, map[string]bool{}
	for _, e := range slices.Backward(entries) {
		if e.Field.ValueString() != "questions" {
			continue
		}
		for _, id := range questionIDs(e.Before.ValueString()) {
			seen[id] = true
		}

		at := moment(e.At.ValueString(), nil)
		for _, id := range questionIDs(e.After.ValueString()) {
			if !seen[id] && !at.IsZero() {
				added[id] = at
			}
			seen[id] = true
		}
	}
	return added
}

// questionIDs are the ids in a list of questions as JSON text; none of a text that is no such
// list.
func questionIDs(text string) (ids []string) {
	var questions []any
	if err := json.Unmarshal([]byte(text), &questions); err != nil {
		return nil
	}
	for _, question := range questions {
		fields, _ := question.(map[string]any)
		if id, ok := fields["id"].(string); ok && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}
