package terraform_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

// seeds are responses about typical surveys, and the oddest ones that an old database may contain.
var seeds = []string{
	`{}`,
	`{"id":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d","name":"NPS","description":"","type":"popover","schedule":"once",
	"linked_flag":null,"linked_flag_id":null,"targeting_flag":null,
	"internal_targeting_flag":{"id":31,"team_id":1,"name":"Targeting flag for survey NPS","key":"survey-targeting-4f2a91c07d-custom",
		"filters":{"groups":[{"variant":"","rollout_percentage":100,"properties":[{"key":"$survey_dismissed/018d","type":"person","value":"is_not_set","operator":"is_not_set"}]}]},
		"deleted":false,"active":true,"ensure_experience_continuity":false,"version":2},
	"questions":[
		{"id":"7a0e","type":"rating","question":"How likely are you to recommend us?","description":"0 is not at all","descriptionContentType":"text",
			"display":"number","scale":10,"lowerBoundLabel":"Unlikely","upperBoundLabel":"Very likely","isNpsQuestion":true,
			"branching":{"type":"response_based","responseValues":{"detractors":1,"passives":2,"promoters":"end"}}},
		{"id":"7a0f","type":"open","question":"What went wrong?","optional":true,"buttonText":"Send","branching":{"type":"end"},"validation":[{"type":"min_length","value":10}]},
		{"id":"7a10","type":"single_choice","question":"What is missing?","choices":["Speed","Other"],"hasOpenChoice":true,"shuffleOptions":false,"branching":null},
		{"id":"7a11","type":"link","question":"Book a call","link":"https://example.com/?a=1&b=2","buttonText":"Book"}],
	"conditions":{"url":"/app","urlMatchType":"icontains","deviceTypes":["Desktop"],"seenSurveyWaitPeriodInDays":30,
		"events":{"values":[{"name":"checkout"}]},"actions":{"values":[{"id":7,"name":"Signed up","steps":[]}]}},
	"appearance":{"backgroundColor":"#eeeded","position":"right","displayThankYouMessage":true,"thankYouMessageHeader":"Thank you!","zIndex":"2147482647","surveyPopupDelaySeconds":3},
	"created_at":"2026-01-02T03:04:05.678901Z","created_by":{"id":1,"uuid":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7e","distinct_id":"u1","first_name":"Ada","last_name":"","email":"ada@example.com","is_email_verified":null,"hedgehog_config":{"color":"green"}},
	"start_date":"2026-01-02T00:00:00Z","end_date":null,"archived":false,"responses_limit":500,
	"iteration_count":null,"iteration_frequency_days":null,"iteration_start_dates":[],"current_iteration":null,"current_iteration_start_date":null,
	"feature_flag_keys":[{"key":"linked_flag_key","value":null},{"key":"internal_targeting_flag_key","value":"survey-targeting-4f2a91c07d-custom"}],
	"translations":{"de":{"name":"Empfehlung"}},"base_language":"en","enable_partial_responses":true,"user_access_level":"manager"}`,
	`{"id":"018d","name":"Feedback","type":"widget","conditions":"{\"url\":\"/\",\"selector\":null}","linked_flag_id":12,
	"targeting_flag":{"id":9,"key":"survey-targeting-feedback","filters":{"groups":[{"rollout_percentage":50.5,"properties":[{"key":"plan","value":["paid"],"operator":"exact","type":"person"}]}],"aggregation_group_type_index":null}},
	"appearance":{"widgetType":"tab","widgetLabel":"Feedback <b>&amp;</b> ideas","n":9007199254740993},
	"iteration_count":3,"iteration_frequency_days":7,"iteration_start_dates":["2026-01-01T10:00:00Z","2026-01-08T10:00:00Z",null],"current_iteration":2,
	"response_sampling_daily_limits":"[{\"date\":\"2026-01-01\",\"daily_response_limit\":5,\"rollout_percentage\":100.0}]",
	"questions":[{"type":"multiple_choice","question":"Which?","choices":["a","a",""]},{"type":"grid","question":"","rows":[1.50,null],"Question":1}]}`,
	`{"name":null,"questions":[{"type":"rating","scale":"ten","optional":"yes","choices":[1,null],"id":5,"branching":{"type":"specific_question","index":1.5,"since":null},"validation":[null],"translations":[]}],
	"conditions":null,"appearance":[],"form_content":"text","linked_flag":{"id":3,"key":"beta"},"targeting_flag":{"id":4,"key":"other"}}`,
}

// FuzzSurvey decodes any document as a survey. Decoding never panics, every decodable survey can be written again
// without loss, and decoding the same response again changes nothing.
func FuzzSurvey(f *testing.F) {
	for _, seed := range slices.Concat(seeds, small) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		err := errors.Join(lossless(t.Context(), answer), repeatable(t.Context(), answer))
		if err != nil && !errors.Is(err, errUnreadable) {
			t.Fatal(err)
		}
	})
}

// small are boundary values of single fields, where one byte makes a difference.
var small = []string{
	`{"conditions":"null"}`, `{"conditions":"{}"}`, `{"conditions":"\"a\""}`, `{"conditions":"a"}`, `{"conditions":[{}]}`, `{"form_content":0.10}`,
	`{"iteration_start_dates":[null,"","2026-01-01"]}`, `{"start_date":"2026-01-01T10:00","end_date":"never"}`, `{"responses_limit":-9223372036854775808}`,
	`{"linked_flag":{"id":1}}`, `{"linked_flag_id":null,"linked_flag":{"id":1}}`, `{"targeting_flag":{"id":1,"key":"survey-targeting-"}}`,
	`{"targeting_flag":{"id":1,"key":"survey-targeting-a","filters":{"groups":[null],"aggregation_group_type_index":null}}}`,
	`{"feature_flag_keys":[{},{"key":"a"}]}`, `{"questions":[{}]}`, `{"questions":[null]}`, `{"questions":[]}`, `{"translations":{"de":null}}`,
	`{"created_by":{"id":1,"hedgehog_config":{"a":1}}}`, `{"name":"\ud83d\ude00\u0000","type":""}`, `{"response_sampling_daily_limits":"[1]"}`,
}

// FuzzQuestion decodes any object as a question, and writes the question with all of its keys and values.
func FuzzQuestion(f *testing.F) {
	for _, seed := range seeds {
		var survey struct{ Questions []json.RawMessage }
		if err := json.Unmarshal([]byte(seed), &survey); err != nil {
			f.Fatal(err)
		}

		for _, question := range survey.Questions {
			f.Add([]byte(question))
		}
	}

	f.Fuzz(func(t *testing.T, question []byte) {
		if !json.Valid(question) || isNoObject(question) {
			return
		}

		answer, err := json.Marshal(map[string]any{"questions": []json.RawMessage{question}})
		if err == nil {
			err = lossless(t.Context(), answer)
		}

		if err != nil {
			t.Fatal(err)
		}
	})
}
