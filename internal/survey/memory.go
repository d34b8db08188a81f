package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Memory is the content of a survey's private state. Attributes cannot hold it, because a refresh overwrites them
// with edits made in PostHog.
type Memory struct {
	attribute.ObjectMemory

	// Questions is the history of the questions' IDs.
	Questions identity.History
	// IsPaused is set while the survey's flags may be off on purpose.
	IsPaused bool
	// Stopped is set while the survey is stopped because it reached its responses_limit.
	Stopped *LimitStop
}

// LimitStop describes a stop by PostHog: when a survey reaches its responses_limit, PostHog sets the end date and
// removes the limit. A configuration with the same limit must not relaunch the survey.
type LimitStop struct {
	ResponsesLimit int64 `json:"responses_limit"`
}

// Keys in private state, in addition to those in package attribute. Don't rename them, because existing states contain
// them.
const (
	// HistoryKey still has the name from the time when it held only the last written list.
	HistoryKey = "applied_questions"
	pausedKey  = "paused"
	stoppedKey = "stopped"
)

// LoadMemory reads a survey's memory from private state. If a part cannot be read, LoadMemory discards it and
// adds a warning.
func LoadMemory(ctx context.Context, private attribute.PrivateState, name types.String, diags *diag.Diagnostics) Memory {
	m := Memory{
		ObjectMemory: attribute.LoadObjectMemory(ctx, private, Excerpt(name), diags),
		IsPaused:     attribute.IsMarked(ctx, private, pausedKey, diags),
	}

	var err error
	if m.Questions, err = identity.Decode(attribute.LoadKey(ctx, private, HistoryKey, diags)); err != nil {
		diags.AddWarning(WarningTitle("Could not read the question IDs in the private state", name),
			"The IDs that the questions had after the last apply are not known, because the private state of the survey is invalid ("+err.Error()+"). "+
				"The provider matches the questions with those in PostHog. Check the IDs in the plan before you apply it.")
	}

	if raw := attribute.LoadKey(ctx, private, stoppedKey, diags); len(raw) > 0 && json.Unmarshal(raw, &m.Stopped) != nil {
		diags.AddWarning(WarningTitle("Could not read whether PostHog stopped the survey", name),
			"The private state is invalid, so it is not known whether PostHog stopped the survey at its responses_limit. Before you apply the plan, check whether it launches the survey.")
	}
	return m
}

// Save implements framework.Memory.
func (m *Memory) Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	m.ObjectMemory.Save(ctx, private, diags)
	attribute.SaveKey(ctx, private, HistoryKey, json.RawMessage(m.Questions.Encode()), false, diags)
	attribute.Mark(ctx, private, pausedKey, m.IsPaused, diags)
	attribute.SaveKey(ctx, private, stoppedKey, m.Stopped, m.Stopped == nil, diags)
}

// AfterRead implements framework.Memory. It records questions under the IDs that they first had.
func (m *Memory) AfterRead(before, after tftypes.Value) {
	m.Held.AfterRead(before, after, m.Questions.Root)
}

// Remembered is a survey's private state by key. Its methods read single values without decoding the rest.
type Remembered map[string][]byte

// IsPaused reports whether [Memory.IsPaused] is set.
func (r Remembered) IsPaused() bool { return isTrue(r[pausedKey]) }

// IsSettled reports whether a second read with the same result leaves the memory unchanged. After an edit, it does
// not, because the second read accepts the edit.
func (r Remembered) IsSettled() bool { return !identity.IsOpen(r[HistoryKey]) }

// KeepsIDs reports whether a configuration equal to the state leaves all questions the IDs in the state. An ID of ""
// means that there is none. Otherwise, a plan would restore other IDs.
func (r Remembered) KeepsIDs(ids []string) bool {
	past, err := identity.Decode(r[HistoryKey])
	return err == nil && past.KeepsIDs(ids)
}

func isTrue(raw []byte) bool { return string(raw) == "true" }
