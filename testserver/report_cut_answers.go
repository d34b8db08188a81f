package testserver

import (
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// noteCut records the answers that a write cuts off: those to questions whose id the survey
// no longer has.
func (x *exchange) noteCut(before, after *store.Survey) {
	cut, remaining := textsByID(before), textsByID(after)
	maps.DeleteFunc(cut, func(id, _ string) bool { _, kept := remaining[id]; return kept })
	if len(cut) == 0 {
		return
	}
	count := x.store.ResponsesTo(before)
	if count == 0 {
		return
	}

	noted := CutAnswers{SurveyID: before.ID.String(), SurveyName: before.Name, Responses: count}
	for _, id := range slices.Sorted(maps.Keys(cut)) {
		noted.Questions = append(noted.Questions, CutQuestion{ID: id, Text: cut[id]})
	}
	x.cut = &noted
}

// textsByID are the texts of the questions of a survey by id.
func textsByID(s *store.Survey) map[string]string {
	texts := map[string]string{}
	questions := s.Values[store.SurveyTable.Index["questions"]]
	if !rawjson.IsArray(questions) {
		return texts
	}
	for _, question := range rawjson.Items(questions) {
		if !rawjson.IsObject(question) {
			continue
		}
		members := rawjson.Members(question)
		if id := rawjson.Unquote(members["id"]); id != "" {
			texts[id] = rawjson.Unquote(members["question"])
		}
	}
	return texts
}
