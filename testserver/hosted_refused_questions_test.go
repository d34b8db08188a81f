package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// asked is a question with more fields.
func asked(more string) string { return `"questions":[{"question":"q",` + more + `}]` }

func TestHostedRefusesQuestions(t *testing.T) {
	t.Parallel()
	const list, https, mailto = "Questions must be a list of objects", "Invalid HTTPS URL. Please enter a valid HTTPS link.",
		"Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com)."
	const scheme = "Link must be a URL with one of these schemes: [https, mailto]"

	rows := []refusal{}
	for _, row := range []struct{ name, sent, detail string }{
		{"row 26 empty text", `"questions":""`, list}, {"row 26 text", `"questions":"text"`, list},
		{"row 26 object", `"questions":{}`, list}, {"row 26 list of texts", `"questions":["text"]`, list},
		{"row 27 missing", `"questions":[{}]`, "Question text is required"},
		{"row 27 empty", `"questions":[{"question":"q"},{"question":""}]`, "Question text is required"},
		{"row 27 null", `"questions":[{"question":null}]`, "Question text is required"},
		{"row 28 text", `"questions":[{"question":5}]`, "Question text must be a string"},
		{"row 28 description", asked(`"description":5`), "Question description must be a string"},
		{"row 28 buttonText", asked(`"buttonText":["x"]`), "Question buttonText must be a string"},
		{"row 28 lowerBoundLabel", asked(`"lowerBoundLabel":true`), "Question lowerBoundLabel must be a string"},
		{"row 28 upperBoundLabel", asked(`"upperBoundLabel":{"a":1}`), "Question upperBoundLabel must be a string"},
		{"row 29 content type", asked(`"descriptionContentType":"text/html"`), "Question descriptionContentType must be one of ['text', 'html']"},
		{"row 30 choices", asked(`"choices":"a"`), "Question choices must be a list of strings"},
		{"row 31 empty", asked(`"choices":["a",""]`), "Question choices cannot be empty"},
		{"row 31 blank", asked(`"choices":["a"," \t"]`), "Question choices cannot be empty"},
		{"row 32 number", asked(`"choices":["a",1]`), "Question choices must be strings"},
		{"row 33 http", asked(`"link":"http://example.com"`), scheme},
		{"row 33 javascript", asked(`"link":"javascript:alert(1)"`), scheme},
		{"row 33 no scheme", asked(`"link":"example.com"`), scheme},
		{"row 33 any kind", asked(`"type":"open","link":"ftp://x"`), scheme},
		{"row 34 no address", asked(`"link":"mailto:x"`), mailto},
		{"row 34 capitals", asked(`"link":"MAILTO:x@example.com"`), mailto},
		{"row 35 fragment", asked(`"link":"https://#.com"`), https},
		{"row 35 no host", asked(`"link":"https:///x"`), https},
		{"row 36 not a list", asked(`"validation":{}`), "Question validation must be a list of validation rules"},
		{"row 36 not an object", asked(`"validation":["email"]`), "Each validation rule must be an object"},
		{"row 36 bad type", asked(`"validation":[{"type":"regex"}]`), "Validation rule type must be one of: min_length, max_length, email"},
		{"row 36 not positive", asked(`"validation":[{"type":"min_length","value":0}]`), "Validation rule value for min_length must be a positive integer"},
		{"row 36 not an integer", asked(`"validation":[{"type":"max_length","value":"5"}]`), "Validation rule value for max_length must be a positive integer"},
		{"row 36 min above max", asked(`"validation":[{"type":"max_length","value":2},{"type":"min_length","value":3}]`), "Minimum length cannot be greater than maximum length"},
	} {
		rows = append(rows, refusal{row.name, row.sent, "invalid_input", "questions", row.detail, always})
	}
	refuses(t, rows)

	_, c := startHosted(t, validationFixtures)
	for _, sent := range []string{
		asked(`"choices":[]`), asked(`"choices":null`), asked(`"link":""`), asked(`"link":"mailto:a.b+c@example.co.uk"`), asked(`"link":"HTTPS://example.com"`),
		asked(`"descriptionContentType":""`), asked(`"validation":[]`), asked(`"validation":[{"type":"email","value":"x"},{"type":"min_length"}]`),
		asked(`"validation":[{"type":"min_length","value":3},{"type":"max_length","value":3}]`), asked(`"choices":["one"]`),
		asked(`"description":null`), asked(`"type":"open","branching":{"type":"response_based","responseValues":{"x":[]}}`),
	} {
		c.patch(mine, "{"+sent+"}").is(http.StatusOK)
	}
}

func TestHostedRefusesLanguages(t *testing.T) {
	t.Parallel()
	refuses(t, []refusal{
		{"row 52 not an object", `"translations":"x"`, "invalid_input", "translations", "Translations must be an object", always},
		{"row 52 language not an object", `"translations":{"de":"x"}`, "invalid_input", "translations", "Translation for 'de' must be an object", always},
		{"row 52 text not a string", `"translations":{"de":{"name":5}}`, "invalid_input", "translations", "Translation for 'de': 'name' must be a string", always},
		{"row 52 empty key", `"translations":{" ":{"name":"x"}}`, "invalid_input", "translations", "Survey translation: translation language code cannot be empty.", always},
		{
			"row 52 sentinel", `"translations":{"Default":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'Default' is not a valid translation language. The untranslated text is the original — set the survey's base language instead of adding it as a translation.", always,
		},
		{
			"row 52 bad key", `"translations":{"english":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'english' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' (not language names like 'english').", always,
		},
		{
			"row 52 base language", `"translations":{"EN":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'EN' matches the survey's base language ('en'). The original text already covers this language — translate to a different language.", always,
		},
		{
			"row 52 base language in the same body", `"base_language":"DE","translations":{"de":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'de' matches the survey's base language ('de'). The original text already covers this language — translate to a different language.", always,
		},
		{
			"row 52 collision", `"translations":{"pt-br":{"name":"x"},"pt_BR":{"name":"y"}}`, "invalid_input", "translations",
			"Survey translation: 'pt_BR' collides with another translation for 'pt-br'.", always,
		},
		{"row 52 question", asked(`"translations":[]`), "invalid_input", "questions", "Question 1: translations must be an object", always},
		{"row 52 question", asked(`"translations":{"de":null}`), "invalid_input", "questions", "Question 1: Translation for 'de' must be an object", always},
		{"row 52 question", asked(`"translations":{"de":{"question":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'question' must be a string", always},
		{"row 52 question", asked(`"translations":{"de":{"link":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'link' must be a string", always},
		{"row 52 question", asked(`"translations":{"de":{"choices":"x"}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'choices' must be a list of strings", always},
		{
			"row 52 question", asked(`"choices":["a","b"],"translations":{"de":{"choices":["x"]}}`), "invalid_input", "questions",
			"Question 1: Translation 'de' has 1 choices but question has 2 choices. Array lengths must match to avoid partial translations.", always,
		},
		{
			"row 52 question base language", asked(`"translations":{"en":{"question":"x"}}`), "invalid_input", "questions",
			"Question 1 translation: 'en' matches the survey's base language ('en'). The original text already covers this language — translate to a different language.", always,
		},
		{"row 53 word", `"base_language":"english"`, "invalid_input", "base_language", "'english' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX'.", always},
		{"row 53 sentinel", `"base_language":"original"`, "invalid_input", "base_language", "'original' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", always},
		{
			"row 53 translated already", `"base_language":"fr"`, "invalid_input", "base_language",
			"'fr' already exists as a translation key on this survey. Remove the translation first, or pick a different base language.", onUpdate,
		},
	})
	_, c := startHosted(t, validationFixtures)
	c.patch(mine, `{"base_language":"fr","translations":{"de":{"name":"x"}}}`).is(http.StatusOK)

	_, c = startHosted(t, validationFixtures)
	kept := c.patch(mine, `{"translations":{"zz_bad_Key!":{"name":"z"},"fr":{"name":"x"}}}`).is(http.StatusOK)

	assert.JSONEq(t, `{"zz_bad_Key!":{"name":"z"},"fr":{"name":"x"}}`, kept.raw("translations"), "row 52 keys that are there are left alone")
}
