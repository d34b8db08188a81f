package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// checkShuffling refuses branching among questions that are shuffled, with what is
// stored standing in for what was not sent.
func (w *surveyWrite) checkShuffling() *field.Failure {
	shuffled := json.RawMessage(nil)
	questions := w.sent["questions"]
	if w.before != nil {
		if stored := w.before.HostedValue("appearance"); rawjson.IsObject(stored) {
			shuffled = rawjson.Members(stored)["shuffleQuestions"]
		}
		if rawjson.IsNull(questions) {
			questions = w.before.HostedValue("questions")
		}
	}

	if rawjson.IsObject(w.sent["appearance"]) {
		if sent := rawjson.Members(w.sent["appearance"])["shuffleQuestions"]; sent != nil {
			shuffled = sent
		}
	}

	if !python.IsTruthy(shuffled) || !rawjson.IsArray(questions) {
		return nil
	}

	for _, question := range rawjson.Items(questions) {
		if rawjson.IsObject(question) && !rawjson.IsNull(rawjson.Members(question)["branching"]) {
			return field.Invalid("invalid_input", "", "Question shuffling and question branching cannot be used together. Please disable one of these features.")
		}
	}
	return nil
}
