package cli

import (
	"errors"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
)

// matchWords say how a question was recognized.
var matchWords = map[history.Match]string{
	history.ByID:          "by its id",
	history.ByText:        "by text and type",
	history.ByChoices:     "by text, type and choices",
	history.ByPosition:    "by its position: the save changed nothing but ids",
	history.ByReturn:      "by text and type, which no other question ever had",
	repair.ByDecision:     "by your decision",
	repair.SameText:       "has the same text and type",
	repair.OlderText:      "once had this text and type",
	repair.SameChoices:    "has the same choices",
	repair.SimilarOrPlace: "had a similar text, or its position",
}

// sourceWords say where an id is known from.
var sourceWords = map[history.Source]string{
	history.FromFeed:     "the activity log",
	history.FromSnapshot: "the snapshot",
	history.FromState:    "the Terraform state",
	history.FromLive:     "the survey",
}

// repairWords say why an id is not written back, and which flag decides it.
var repairWords = map[repair.Code]func(repair.Question) string{
	repair.CutsAnswers: func(q repair.Question) string {
		return fmt.Sprintf("it has %s under its new id, which would be cut off for %s under the old one: "+
			"decide, or --allow-cut-answers gives up the smaller number", answersOf(q.Answers), upTo(q.Old.Responses))
	},
	repair.MayCutAnswers: func(q repair.Question) string {
		return fmt.Sprintf("it may have answers under its new id (the service does not say), which would be cut off for %s under the old one: "+
			"decide, or --allow-cut-answers does it anyway", upTo(q.Old.Responses))
	},
	repair.NewHasMore: func(q repair.Question) string {
		return fmt.Sprintf("it has %s under its new id, and %s under the old one", answersOf(q.Answers), upTo(q.Old.Responses))
	},
	repair.Uncertain: func(repair.Question) string {
		return "it may be a question that lost its id, or a new one"
	},
	repair.SharedID: func(q repair.Question) string {
		return fmt.Sprintf("questions have or had the id %s at the same time, and their answers cannot be told apart: give one of them another id in the code or the web interface", q.ID)
	},

	repair.Interrupted: func(repair.Question) string { return "interrupted" },
	repair.ChangedSince: func(repair.Question) string {
		return "the questions were changed since they were read; run again to see the difference"
	},
	repair.DeletedSince: func(repair.Question) string { return "the survey was deleted since it was read" },
	repair.AnsweredSince: func(q repair.Question) string {
		return fmt.Sprintf("%s came in under its new id since it was read; run again to decide", answersOf(q.Answers))
	},
	repair.NotKept: func(repair.Question) string { return "the service accepted the update, and did not store the ids" },
	repair.RequestFailed: func(q repair.Question) string {
		if q.Err == nil {
			return "the request failed"
		}
		return q.Err.Error()
	},
}

// decisionWords say why a decision is refused.
var decisionWords = map[repair.Code]func(*repair.DecisionError) string{
	repair.NoSuchQuestion: func(e *repair.DecisionError) string {
		return fmt.Sprintf("the survey has no question %q: name it by its id, or as questions[0] by its place", e.Question)
	},
	repair.NotOneQuestion: func(e *repair.DecisionError) string {
		return fmt.Sprintf("several questions have the id %q: name one by its place, as questions[0]", e.Question)
	},
	repair.NoSuchID: func(e *repair.DecisionError) string {
		return fmt.Sprintf("no source knows the id %q of this survey, so nobody can tell what it asked: name a snapshot that has it with --snapshot, or a directory with --state", e.ID)
	},
	repair.IDInUse: func(e *repair.DecisionError) string {
		return fmt.Sprintf("another question has the id %q", e.ID)
	},
	repair.IDTwice: func(e *repair.DecisionError) string { return fmt.Sprintf("two questions would get the id %q", e.ID) },
	repair.OtherKind: func(e *repair.DecisionError) string {
		return fmt.Sprintf("%q is the id of a question of type %s, and the question is of type %s: its answers would be of another kind", e.ID, e.OldType, e.Type)
	},
	repair.DecidedTwice: func(e *repair.DecisionError) string {
		return fmt.Sprintf("the question %q is named twice", e.Question)
	},
}

// wordedDecisionError words the error of a plan.
func wordedDecisionError(err error) error {
	if refused, ok := errors.AsType[*repair.DecisionError](err); ok {
		return &refusedError{"--question: " + decisionWords[refused.Code](refused)}
	}
	return err
}

// answersOf words a number of answers.
func answersOf(c repair.Count) string {
	switch {
	case c.Number == nil:
		return "an unknown number of answers"
	case c.AtLeast:
		return "at least " + count(*c.Number, "answer")
	case *c.Number == 0:
		return "no answers"
	}
	return count(*c.Number, "answer")
}

// upTo words the number of answers by the responses of a time.
func upTo(c repair.Count) string {
	switch {
	case c.Number == nil, c.AtLeast && *c.Number == 0:
		return "an unknown number of answers"
	case c.AtLeast:
		return "the answers of at least " + count(*c.Number, "response")
	case *c.Number == 0:
		return "no answers"
	}
	return "at most " + count(*c.Number, "answer")
}
