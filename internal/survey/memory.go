package survey

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Memory is what the private state of a survey remembers: what no attribute says, since a
// refresh overwrites attributes with what is edited in the web interface.
type Memory struct {
	attribute.ObjectMemory

	// Questions says which ids the questions had.
	Questions identity.History
	// IsPaused is set while flags of the survey may be off on purpose.
	IsPaused bool
	// Stopped is set while the survey is stopped since it has as many responses as it may have.
	Stopped *LimitStop
}

// LimitStop is a stop of a survey by the service because it has responses_limit responses: the
// service sets the end date and removes the limit. A configuration with the same limit must
// not launch the survey again.
type LimitStop struct {
	ResponsesLimit int64 `json:"responses_limit"`
}

// The keys of the private state, which states that exist have, besides those of package
// attribute.
const (
	// HistoryKey has been that of the list of the last write alone.
	HistoryKey = "applied_questions"
	pausedKey  = "paused"
	stoppedKey = "stopped"
)

// LoadMemory reads what private state remembers of a survey. What cannot be read of it is
// forgotten, with a warning.
func LoadMemory(ctx context.Context, private attribute.PrivateState, name types.String, diags *diag.Diagnostics) Memory {
	m := Memory{
		ObjectMemory: attribute.LoadObjectMemory(ctx, private, Excerpt(name), diags),
		IsPaused:     attribute.IsMarked(ctx, private, pausedKey, diags),
	}

	var err error
	if m.Questions, err = identity.Decode(attribute.LoadKey(ctx, private, HistoryKey, diags)); err != nil {
		diags.AddWarning(WarningTitle("Cannot read the ids of questions from the private state", name),
			"The private state of the survey does not say which id each question had when it was last applied ("+err.Error()+"). "+
				"Questions are matched with those that the service holds now. Check the ids in the plan before you apply it.")
	}

	if raw := attribute.LoadKey(ctx, private, stoppedKey, diags); len(raw) > 0 && json.Unmarshal(raw, &m.Stopped) != nil {
		diags.AddWarning(WarningTitle("Cannot read from the private state who stopped the survey", name),
			"The private state does not say whether the service stopped the survey at its responses_limit. Look at the plan before you apply it.")
	}
	return m
}

// Save stores all that is remembered in private state.
func (m Memory) Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	m.ObjectMemory.Save(ctx, private, diags)
	attribute.SaveKey(ctx, private, HistoryKey, json.RawMessage(m.Questions.Encode()), false, diags)
	attribute.Mark(ctx, private, pausedKey, m.IsPaused, diags)
	attribute.SaveKey(ctx, private, stoppedKey, m.Stopped, m.Stopped == nil, diags)
}

// AfterWrite is the memory after a write of questions at some time, by which code and service
// agree.
func (m Memory) AfterWrite(questions []Question, now time.Time) Memory {
	m.Questions = m.Questions.AfterWrite(Identities(questions))
	m.ObjectMemory.AfterWrite(now)
	return m
}

// Remembered is the private state of a survey by key, from which single things are read.
type Remembered map[string][]byte

// IsPaused is that of [Memory].
func (r Remembered) IsPaused() bool { return isTrue(r[pausedKey]) }

// IsSettled reports whether a read that finds what the one before has found leaves the memory
// as it is. One after an edit does not: it accepts the edit.
func (r Remembered) IsSettled() bool { return !identity.IsOpen(r[HistoryKey]) }

// KeepsIDs reports whether a configuration that says what a state holds leaves all questions
// the ids that they have there, "" for none. A plan would restore others.
func (r Remembered) KeepsIDs(ids []string) bool {
	past, err := identity.Decode(r[HistoryKey])
	return err == nil && past.KeepsIDs(ids)
}

func isTrue(raw []byte) bool { return string(raw) == "true" }
