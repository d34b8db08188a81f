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

// reattach returns a survey with the question IDs that have the answers, and these IDs. Currently,
// PostHog holds other IDs, because a save replaced them. The IDs come from the files of an earlier
// export. For a survey that is not in the files yet, they come from the activity log.
func (x *run) reattach(ctx context.Context, survey api.Survey) (now api.Survey, ids []string, err error) {
	raws, _ := survey.Questions.Get() // none for null
	live, ok := identity.ParseQuestions(marshalList(raws))
	if survey.ID == nil || !ok || len(live) == 0 {
		return survey, nil, nil
	}

	name, _ := survey.Name.Get()
	earlier, isKnown := x.directory.Exported[code.Key{Type: code.SurveyType, ImportID: x.ProjectID + "/" + *survey.ID}]
	var versions [][]identity.Question
	switch {
	case !x.selects(name):
		return survey, nil, nil
	case isKnown:
		versions = [][]identity.Question{code.StatedQuestions(earlier.Text)}
	case x.Past != nil:
		if versions, err = x.Past(ctx, survey); err != nil {
			return survey, nil, err
		}
	}

	now, detached, err := Reattach(survey, versions)
	if len(detached) == 0 || err != nil {
		return survey, nil, err
	}
	x.report.Detached = append(x.report.Detached, Detached{*survey.ID, name, detached})
	return now, detached.Certain().OldIDs(), nil
}

// Reattach returns a survey with the question IDs that have the answers, and the questions with
// detached answers. versions are the earlier versions of the survey's questions, oldest first.
func Reattach(survey api.Survey, versions [][]identity.Question) (api.Survey, identity.DetachedList, error) {
	raws, _ := survey.Questions.Get() // none for null
	live, ok := identity.ParseQuestions(marshalList(raws))
	if !ok {
		return survey, nil, nil
	}

	detached := identity.Replay(versions, live).Detached(live)
	if len(detached) == 0 {
		return survey, nil, nil
	}
	now, err := withIDs(survey, raws, detached.Certain())
	return now, detached, err
}

// marshalList returns a JSON array.
func marshalList(raws []json.RawMessage) []byte {
	text, err := json.Marshal(raws)
	if err != nil {
		return []byte("{}") // nothing to compare
	}
	return text
}

// withIDs returns a survey with the old IDs of its questions.
func withIDs(survey api.Survey, raws []json.RawMessage, detached identity.DetachedList) (api.Survey, error) {
	raws = slices.Clone(raws)
	for _, d := range detached {
		var fields map[string]any
		if err := json.Unmarshal(raws[d.Position], &fields); err != nil {
			return survey, err
		}
		fields["id"] = d.OldID
		raw, err := json.Marshal(fields)
		if err != nil {
			return survey, err
		}
		raws[d.Position] = raw
	}
	survey.Questions.Set(raws)
	return survey, nil
}
