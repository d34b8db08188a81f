// Package answers is a model of a survey, of its configuration, and of its respondents, and an
// engine that draws random steps and judges what became of the answers. The model knows which
// question is which, whatever becomes of IDs, types, texts, and content.
//
// It must not know how questions are matched: it shares no code with what it judges. An
// [Adapter] stands next to the code that it tests, and says how a step is carried out there.
//
// Start with [Check].
package answers

import "pgregory.net/rapid"

// Command is what someone does with the configuration.
type Command string

// The commands. An adapter carries out those that its code has.
const (
	// Refresh reads the survey and stores what it finds.
	Refresh Command = "refresh"
	// Plan compares and stores nothing.
	Plan Command = "plan"
	// Apply plans and writes.
	Apply Command = "apply"
	// SavePlan plans, and keeps the plan.
	SavePlan Command = "save a plan"
	// ApplySaved applies the plan that was kept.
	ApplySaved Command = "apply the saved plan"
	// Import forgets what is known of the survey, and imports it.
	Import Command = "state rm, import"
	// Pull takes edits in PostHog over into the configuration.
	Pull Command = "pull"
	// Export writes the configuration from what PostHog holds.
	Export Command = "export"
	// Repair reattaches detached answers.
	Repair Command = "repair"
)

// Report is what a command did and printed.
type Report struct {
	// Messages are what was printed, one for each warning, error, or finding.
	Messages []string
	// Failure is the error with which the command ended.
	Failure string
	// IsRefused is set when the command ended since it could not tell questions apart, and asked
	// for an ID.
	IsRefused bool
	// IsGuarded is set when the command ended since a question looked as if ignore_changes held on
	// to the text at a position.
	IsGuarded bool
	// IsEmpty is set when there was nothing to write.
	IsEmpty bool
	// IsPending is set when Pull reported a pending edit or a conflict.
	IsPending bool
	// HasLog is set when Repair has read all saves of the survey.
	HasLog bool
	// Code has the questions of the configuration after the command, where it edits files.
	Code []Question
}

// Adapter carries out the steps on one survey, which PostHog does not hold yet.
type Adapter interface {
	// Commands are what the engine may run. Apply comes first in every sequence.
	Commands() []Command
	// HasState reports whether commands remember what they have written and read.
	HasState() bool
	// Save stores questions as an edit in PostHog does. A question without an ID gets what PostHog
	// gives it.
	Save(t *rapid.T, questions []Question)
	// Held returns the questions that PostHog holds.
	Held(t *rapid.T) []Question
	// Answer has a respondent answer the questions with these IDs.
	Answer(t *rapid.T, ids []string)
	// Run runs a command on the questions of the configuration.
	Run(t *rapid.T, command Command, code []Question) Report
}
