// Package answers models a survey, its configuration, and its respondents. Its engine runs random steps and
// checks what happens to the answers. The model identifies each question independently of its ID, type, text,
// and content.
//
// The package must not know how questions are matched, and shares no code with the code under test. An
// [Adapter] is part of the tested package and carries out the steps.
//
// Start reading at [Check].
package answers

import "pgregory.net/rapid"

// Command is a command that a user runs for the configuration.
type Command string

// The commands. An adapter supports the commands of the code under test.
const (
	// Refresh reads the survey and stores the result in the state.
	Refresh Command = "refresh"
	// Plan compares the configuration with PostHog. It changes nothing.
	Plan Command = "plan"
	// Apply plans and applies the configuration.
	Apply Command = "apply"
	// SavePlan plans and saves the plan.
	SavePlan Command = "save a plan"
	// ApplySaved applies the saved plan.
	ApplySaved Command = "apply the saved plan"
	// Import removes the survey from the state and imports it.
	Import Command = "state rm, import"
	// Pull copies edits made in PostHog into the configuration.
	Pull Command = "pull"
	// Export writes the configuration from the survey in PostHog.
	Export Command = "export"
	// Repair reattaches detached answers.
	Repair Command = "repair"
)

// Report is a command's result and output.
type Report struct {
	// Messages are the printed warnings, errors, and findings.
	Messages []string
	// Failure is the error with which the command failed.
	Failure string
	// IsRefused is true if the command failed because it could not distinguish questions and requires an
	// ID.
	IsRefused bool
	// IsGuarded is true if the command failed because ignore_changes may have kept the text at a
	// position.
	IsGuarded bool
	// IsEmpty is true if there was nothing to write.
	IsEmpty bool
	// IsPending is true if Pull reported a pending edit or a conflict.
	IsPending bool
	// HasLog is true if Pull, Export, or Repair has read all saves of the survey.
	HasLog bool
	// Code contains the questions in the configuration after the command, if the command edits files.
	Code []Question
}

// Adapter carries out the steps on one survey, which does not exist in PostHog at the start.
type Adapter interface {
	// Commands returns the commands that the engine may run. Every sequence begins with Apply.
	Commands() []Command
	// HasState reports whether commands remember what they have written and read.
	HasState() bool
	// Save stores questions like an edit in PostHog. PostHog assigns an ID to a question without one.
	Save(t *rapid.T, questions []Question)
	// Held returns the questions of the survey in PostHog.
	Held(t *rapid.T) []Question
	// Answer adds a respondent's answers to the questions with these IDs.
	Answer(t *rapid.T, ids []string)
	// Run runs a command with the questions of the configuration.
	Run(t *rapid.T, command Command, code []Question) Report
}
