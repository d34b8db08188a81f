package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Flags that other products use, and flags in a newer format.
func TestHostedRefusesForeignFlags(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, `{"feature_flags":[{"id":1,"project_id":1,"key":"tested","used_by":"experiment"},{"id":2,"project_id":1,"key":"shown","used_by":"product_tour"},
		{"id":3,"project_id":1,"key":"early","used_by":"early_access_feature"},{"id":4,"project_id":1,"key":"asked","used_by":"survey"},
		{"id":5,"project_id":1,"key":"newer","filters":{"version":2,"groups":[]}}],
		"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","targeting_flag_id":1}]}`)

	_, path := c.make("")
	const belongs = ". Pick a different flag, or edit this one where it is already used."

	for _, row := range []struct{ name, sent, detail string }{
		{"C16 row 14a experiment", `"targeting_flag_id":1`, "The feature flag tested already belongs to an experiment" + belongs},
		{"C16 row 14a product tour", `"targeting_flag_id":2`, "The feature flag shown already belongs to a product tour" + belongs},
		{"C16 row 14a early access", `"targeting_flag_id":3`, "The feature flag early already belongs to an early access feature" + belongs},
		{"C16 row 14b newer format", `"targeting_flag_id":5`, "The feature flag newer uses a configuration format that a survey cannot use yet. Pick a different flag."},
		{"C17 row 18a newer format", `"linked_flag_id":5,"conditions":{"linkedFlagVariant":"a"}`, "linkedFlagVariant cannot be used with this feature flag's configuration format"},
	} {
		t.Log(row.name)
		c.patch(path, "{"+row.sent+"}").fails(http.StatusBadRequest, "invalid_input", "", row.detail)
		c.post(surveys, `{"name":"New","type":"api",`+row.sent+`}`).fails(http.StatusBadRequest, "invalid_input", "", row.detail)
	}

	for _, sent := range []string{`"targeting_flag_id":4`, `"linked_flag_id":5`, `"linked_flag_id":5,"conditions":{"linkedFlagVariant":"any"}`} {
		assert.Equal(t, http.StatusOK, c.patch(path, "{"+sent+"}").status, "C16 C17 %s", sent)
	}

	assert.Equal(t, http.StatusOK, c.patch(mine, `{"targeting_flag_id":1}`).status, "C16 the survey's own flag stays")
}

// Links and rules of questions, as far as they are read by Python.
func TestHostedLinksAndRules(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	kept := c.patch(path, "{"+asked(`"link":" \thttps://example.com"`)+"}").is(http.StatusOK)
	assert.Contains(t, kept.raw("questions"), `"link":" \thttps://example.com"`, "C28 row 33 blanks in front pass and stay")
	assert.Equal(t, http.StatusInternalServerError, c.patch(path, "{"+asked(`"link":"https://[::1"`)+"}").status, "C28 row 35 an open bracket")
	assert.Equal(t, http.StatusOK, c.patch(path, "{"+asked(`"link":"https://[::1]/x"`)+"}").status, "C28 row 35 a closed bracket")
	c.patch(path, "{"+asked(`"link":5`)+"}").fails(http.StatusBadRequest, "invalid_input", "questions", "Question 1: link must be a string")
	assert.Equal(t, http.StatusOK, c.patch(path, "{"+asked(`"validation":[{"type":"min_length","value":true}]`)+"}").status, "C29 row 36 true is 1")
	c.patch(path, "{"+asked(`"validation":[{"type":"min_length","value":false}]`)+"}").
		fails(http.StatusBadRequest, "invalid_input", "questions", "Validation rule value for min_length must be a positive integer")
	assert.Equal(t, http.StatusInternalServerError, c.patch(path, `{"appearance":{"surveyPopupDelaySeconds":"5"}}`).status, "C29 row 42 a delay that is text")
}

// Texts on languages, and the texts that translations keep.
func TestHostedTranslations(t *testing.T) {
	t.Parallel()
	refuses(t, []refusal{
		{
			"C31 row 52 klingon", `"translations":{"klingon":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'klingon' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' (not language names like 'klingon').", always,
		},
		{"C31 row 52 question: null", asked(`"translations":null`), "invalid_input", "questions", "Question 1: translations must be an object", always},
		{"C31 row 52 question: label", asked(`"translations":{"de":{"lowerBoundLabel":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'lowerBoundLabel' must be a string", always},
		{"C31 row 52 question: empty key", asked(`"translations":{"":{"question":"x"}}`), "invalid_input", "questions", "Question 1 translation: translation language code cannot be empty.", always},
		{"C31 row 52 question: collision", asked(`"translations":{"fr":{"question":"x"},"FR":{"question":"y"}}`), "invalid_input", "questions", "Question 1 translation: 'FR' collides with another translation for 'fr'.", always},
		{"C31 row 52 each key", `"translations":{"de":{"thankYouMessageHeader":5}}`, "invalid_input", "translations", "Translation for 'de': 'thankYouMessageHeader' must be a string", always},
		{"C31 row 53 default", `"base_language":"default"`, "invalid_input", "base_language", "'default' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", always},
	})
	_, c := startHosted(t, "")
	created, _ := c.make(`"translations":{"de":{"name":"n","submitButtonText":"s","introScreenHeader":"i","backButtonText":"b"},"fr":{"submitButtonText":"s"}},
		"questions":[{"id":"1","question":"q","translations":{"de":{"question":"f","placeholder":"p"},"fr":{"placeholder":"p"}}}]`)
	assert.JSONEq(t, `{"de":{"name":"n"}}`, created.raw("translations"), "C31 keys that are kept")
	assert.JSONEq(t, `[{"id":"1","question":"q","translations":{"de":{"question":"f"}}}]`, created.raw("questions"), "C31 keys of a question that are kept")
}

func TestHostedCancelEventsOfExternalSurveys(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, _ := c.make(`"type":"external_survey","conditions":{"cancelEvents":{"values":[{"name":"paid"}]}}`)
	assert.JSONEq(t, `{"cancelEvents":{"values":[{"name":"paid"}]}}`, created.raw("conditions"), "C32 cancelEvents are allowed")
}
