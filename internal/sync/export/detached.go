package export

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Detached is a survey with detached answers.
type Detached struct {
	ID, Survey string
	Questions  identity.DetachedList
}

// Logged is what the activity log shows about the questions of a survey.
type Logged struct {
	// Detached are the questions with detached answers.
	Detached identity.DetachedList
	// Relation returns how a question is related to a missing one with an old ID. It may be nil.
	Relation func(id, oldID string) identity.Relation
	// IDs returns all IDs that the question at a position had. It may be nil.
	IDs func(position int) []string
	// IsUnreadable is set if the survey may have detached answers, but its log cannot be read.
	IsUnreadable bool
}

// statedID returns the ID of a question that the file states, and the text that the question has there.
func (l Logged) statedID(d identity.Detached, stated []identity.Question) (id, text string) {
	if l.IDs == nil {
		return d.OldID, d.OldText
	}
	for _, earlier := range l.IDs(d.Position) {
		if i := identity.IndexByID(stated, earlier); i >= 0 {
			return earlier, stated[i].Text
		}
	}
	return d.OldID, d.OldText
}

// isSeparate reports whether the survey had two questions at the same time.
func (l Logged) isSeparate(d identity.Detached) bool {
	return l.Relation != nil && l.Relation(d.ID, d.OldID) == identity.Separate
}

// reattach returns a survey with the question IDs that have the answers, and the detached questions.
// PostHog currently has other IDs, because a save replaced them. The IDs come from an earlier export's
// files and from the activity log.
func (x *run) reattach(ctx context.Context, survey api.Survey) (live Live, now api.Survey, detached identity.DetachedList, err error) {
	live.Survey = &survey
	raws, _ := survey.Questions.Get() // none for null
	questions, ok := identity.ParseQuestions(marshalList(raws))
	name, _ := survey.Name.Get()
	if survey.ID == nil || !ok || len(questions) == 0 || !x.selects(name) {
		return live, survey, nil, nil
	}
	key := code.Key{Type: code.SurveyType, ImportID: x.ProjectID + "/" + *survey.ID}
	if x.seen[key] { // the survey is on two pages of the list
		return live, survey, nil, nil
	}

	earlier := x.directory.Exported[key]
	stated := code.StatedQuestions(earlier.Text)
	var logged Logged
	if x.Past != nil && !statesAll(stated, questions) {
		if logged, err = x.Past(ctx, survey); err != nil {
			return live, survey, nil, err
		}
	}
	if logged.IsUnreadable && x.Agreed != nil {
		logged.Detached = detachedSince(x.Agreed(*survey.ID), questions)
		if _, isManaged := x.Addresses[key]; isManaged {
			for i := range logged.Detached {
				logged.Detached[i].IsPossible = true
			}
		}
	}

	if now, detached, err = Reattach(survey, stated, logged); err != nil {
		return live, survey, nil, err
	}
	if logged.IsUnreadable {
		live.Unlogged = detached
	}
	if len(detached) > 0 {
		x.report.Detached = append(x.report.Detached, Detached{*survey.ID, name, detached})
	}
	return live, now, detached, nil
}

// detachedSince returns the questions whose IDs changed since an earlier version, or that have none now.
func detachedSince(earlier, live []identity.Question) identity.DetachedList {
	if len(earlier) == 0 {
		return nil
	}
	history := identity.Replay([][]identity.Question{earlier}, live)
	return append(history.Detached(live), history.Carried(live)...)
}

// statesAll reports whether a file sets the IDs of all live questions. In that case, the activity log is
// not needed.
func statesAll(stated, live []identity.Question) bool {
	return !slices.ContainsFunc(live, func(q identity.Question) bool { return q.ID == "" || identity.IndexByID(stated, q.ID) < 0 })
}

// Reattach returns a survey with the question IDs that have the answers, and the questions with detached
// answers. stated contains the questions in the existing file. If the file sets a question's current ID,
// someone decided to use that ID. A question with answers under both IDs keeps its current ID, unless the file sets the old ID.
func Reattach(survey api.Survey, stated []identity.Question, logged Logged) (api.Survey, identity.DetachedList, error) {
	raws, _ := survey.Questions.Get() // no questions if null
	live, ok := identity.ParseQuestions(marshalList(raws))
	if !ok {
		return survey, nil, nil
	}

	detached := mergeDetached(stated, detachedInFile(stated, live, logged), logged)
	detached = slices.DeleteFunc(detached, func(d identity.Detached) bool { return identity.IndexByID(stated, d.ID) >= 0 })
	if len(detached) == 0 {
		return survey, nil, nil
	}
	for i, d := range detached {
		isDecided := identity.IndexByID(stated, d.OldID) >= 0
		detached[i].Stays = d.Stays && !isDecided
	}
	now, err := withIDs(survey, raws, detached.Restored())
	return now, detached, err
}

// detachedInFile returns the live questions that the file states under another ID. If the log shows which question had
// a stated ID, or that the survey had both questions at the same time, no other question is mistaken for it.
func detachedInFile(stated, live []identity.Question, logged Logged) identity.DetachedList {
	replaced := identity.ReplacedIDs{}
	for _, d := range logged.Detached.Certain() {
		if d.ID != "" && identity.IndexByID(stated, d.ID) < 0 && identity.IndexByID(stated, d.OldID) >= 0 {
			replaced[d.ID] = d.OldID
		}
	}
	held := replaced.Undo(live)
	return slices.DeleteFunc(detachedSince(stated, held), logged.isSeparate)
}

// mergeDetached merges the detached questions from a file and from the activity log. The file does not show
// whether a question was deleted and asked again in between, so a match that only the file shows is
// possible, not certain. If both matches are certain, the file's ID counts, because someone may have
// decided to use it. If the file also sets the log's ID for another question, the log's ID counts, because
// the log shows better which of several equal questions is which. If the question had several IDs, the one
// in the file counts.
func mergeDetached(stated []identity.Question, fromFile identity.DetachedList, logged Logged) identity.DetachedList {
	if len(logged.Detached) == 0 {
		return fromFile
	}

	known := slices.Clone(logged.Detached)
	for i, d := range known {
		if d.IsPossible || identity.IndexByID(stated, d.OldID) >= 0 {
			continue
		}
		same := slices.IndexFunc(fromFile, func(f identity.Detached) bool { return f.Position == d.Position && !f.IsPossible })
		inFile := d
		if same >= 0 {
			inFile = fromFile[same]
		} else {
			inFile.OldID, inFile.OldText = logged.statedID(d, stated)
		}
		if !slices.Contains(known.Certain().OldIDs(), inFile.OldID) { // otherwise, the log gives the ID to another question
			known[i] = inFile
		}
	}

	possible := slices.Clone(fromFile)
	for i := range possible {
		possible[i].IsPossible = true
	}
	return identity.MergeDetached(known, possible)
}

// WithIDs returns the options for writing a reattached survey, which include the IDs of questions with
// detached answers. They exclude questions that are only possibly the same as an earlier one, and questions
// with answers under both IDs, because a written ID counts as a decision.
func WithIDs(options code.Options, detached identity.DetachedList) code.Options {
	options.StatedIDs = detached.Restored().OldIDs()
	options.OpenIDs = nil
	for _, d := range append(detached.Possible(), detached.Undecided()...) {
		if d.ID != "" {
			options.OpenIDs = append(options.OpenIDs, d.ID)
		}
	}
	return options
}

// marshalList joins JSON values into an array.
func marshalList(raws []json.RawMessage) []byte {
	text, err := json.Marshal(raws)
	if err != nil {
		return []byte("{}") // nothing to compare
	}
	return text
}

// withIDs returns a survey with its questions' old IDs.
func withIDs(survey api.Survey, raws []json.RawMessage, detached identity.DetachedList) (api.Survey, error) {
	raws = slices.Clone(raws)
	for _, d := range detached {
		var err error
		if raws[d.Position], err = identity.WithID(raws[d.Position], d.OldID); err != nil {
			return survey, err
		}
	}
	survey.Questions.Set(raws)
	return survey, nil
}
