package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
)

// detachedSurvey is a survey with detached answers. Every command reports it with the same notes and
// JSON.
type detachedSurvey struct {
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Questions []detachedQuestion `json:"questions"`

	list identity.DetachedList
	repairing
}

type detachedQuestion struct {
	Index       int    `json:"index"`
	Text        string `json:"question"`
	ID          string `json:"id"`
	OldID       string `json:"old_id"`
	OldText     string `json:"old_question"`
	Before      *int64 `json:"answers_before"`
	Since       *int64 `json:"answers_since"`
	IsPossible  bool   `json:"possible"`
	Description string `json:"text"`
}

// repairing describes how to restore a survey's old IDs.
type repairing struct {
	// flags tell repair where to find the survey and the old IDs.
	flags []string
	// isUnlogged is set if the activity log does not show the old IDs. In that case, repair asks the
	// user to decide.
	isUnlogged bool
	// otherwise is a sync command that restores the old IDs if repair cannot find them. It may be empty.
	otherwise string
	// stating explains that the configuration or a sync already sets some questions' old IDs, and that this
	// reattaches their answers. It may be empty.
	stating string
}

func newDetachedSurvey(id, name string, list identity.DetachedList, repair repairing) detachedSurvey {
	s := detachedSurvey{ID: id, Name: name, Questions: []detachedQuestion{}, list: list, repairing: repair}
	for _, d := range list {
		s.Questions = append(s.Questions, detachedQuestion{d.Position, d.Text, d.ID, d.OldID, d.OldText, d.Before, d.Since, d.IsPossible, d.String()})
	}
	return s
}

// notes lists the questions and the commands that restore their old IDs, each on a separate line.
func (s detachedSurvey) notes() []string {
	list := s.list.WithAnswers()
	if len(list) == 0 {
		return []string{"Question IDs were replaced. No answers are affected."}
	}

	var notes []string
	for _, d := range list {
		notes = append(notes, d.String())
	}
	if s.stating != "" && len(list.Restored()) > 0 {
		notes = append(notes, s.stating)
	}
	for _, advice := range s.advice() {
		notes = append(notes, advice.Text, advice.Command)
	}
	return notes
}

// advice returns the commands that restore the old IDs.
func (s detachedSurvey) advice() (found []review.Advice) {
	list := s.list.WithAnswers()
	restored, undecided := list.Restored(), list.Undecided()
	for _, part := range []struct {
		list identity.DetachedList
		text string
	}{
		{restored, "To restore the old IDs, run:"},
		{undecided, "There are or may be answers under both IDs. To restore the old IDs, which detaches the answers under the new ones, run:"},
		{list.Possible(), "If a question is the same, restore its old ID:"},
	} {
		if command := s.command(part.list); len(part.list) > 0 && command != "" {
			found = append(found, review.Advice{Text: part.text, Command: command})
		}
	}
	return found
}

// command returns the command that restores the questions' old IDs, or an empty string if no command can.
func (s detachedSurvey) command(list identity.DetachedList) string {
	if s.isUnlogged && len(s.flags) == 0 {
		if s.otherwise != "" && len(list.Undecided()) > 0 {
			return s.otherwise + " --allow-detached-answers"
		}
		return s.otherwise
	}
	return identity.Repair{Survey: s.Name, ID: s.ID, Flags: s.flags, IsUnlogged: s.isUnlogged}.Command(list)
}

// hasAnswers reports whether answers are or may be detached.
func (s detachedSurvey) hasAnswers() bool { return len(s.list.WithAnswers()) > 0 }

// detachedSummary counts the questions that have or may have detached answers.
func detachedSummary(list identity.DetachedList) string {
	var parts []string
	if n := len(list.Certain()); n > 0 {
		parts = append(parts, identity.DetachedAnswers+" of "+responses.Count(n, "question"))
	}
	possible := map[int]bool{}
	for _, d := range list.Possible() {
		possible[d.Position] = true
	}
	if n := len(possible); n > 0 {
		parts = append(parts, "possibly "+identity.DetachedAnswers+" of "+responses.Count(n, "question"))
	}
	return strings.Join(parts, ", ")
}

// detachedSections returns one section for each survey with detached answers.
func detachedSections(surveys []detachedSurvey) []report.Section {
	var sections []report.Section
	for _, survey := range surveys {
		title := "Detached answers of survey " + cmp.Or(survey.Name, survey.ID)
		if !survey.hasAnswers() {
			title = "Survey " + cmp.Or(survey.Name, survey.ID)
		}
		sections = append(sections, report.Section{Title: title, Notes: survey.notes()})
	}
	return sections
}

// detachedError returns the error for surveys with detached answers, or nil if there are none.
func detachedError(surveys []detachedSurvey) error {
	number := 0
	for _, survey := range surveys {
		if survey.hasAnswers() {
			number++
		}
	}
	if number == 0 {
		return nil
	}
	return &differencesError{identity.DetachedAnswers + " of " + responses.Count(number, "survey") + ": see the report"}
}

// environmentFlags returns the flags that select the environment of this run in a suggested command.
func (p *program) environmentFlags(environment string) []string {
	var flags []string
	if p.flags.config != "" {
		flags = append(flags, "--config", p.flags.config)
	}
	if name := cmp.Or(environment, p.namedEnvironment()); name != "" {
		flags = append(flags, "--env", name)
	}
	return slices.Clip(flags)
}
