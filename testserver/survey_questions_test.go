package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
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

// Markup that was stored before it was cleaned differs between reading and writing.
func TestHostedCleansOnRead(t *testing.T) {
	t.Parallel()
	const dirty = `<i>x<script>y</script>`
	_, c := startHosted(t, `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"`+dirty+`","type":"popover",
		"questions":[{"id":"1","question":"`+dirty+`","choices":["`+dirty+`"],"other":"`+dirty+`","translations":{"de":{"question":"`+dirty+`","link":"ftp://x"}}}],
		"appearance":{"thankYouMessageHeader":"`+dirty+`","submitButtonText":"`+dirty+`"},"translations":{"de":{"name":"`+dirty+`"}}}]}`)
	read := c.get(mine)
	assert.JSONEq(t, `[{"id":"1","question":"<i>x</i>","choices":["<i>x</i>"],"other":"`+dirty+`","translations":{"de":{"question":"<i>x</i>"}}}]`, read.raw("questions"), "C4 questions")
	assert.JSONEq(t, `{"thankYouMessageHeader":"<i>x</i>","submitButtonText":"`+dirty+`"}`, read.raw("appearance"), "C4 appearance")
	assert.JSONEq(t, `{"de":{"name":"<i>x</i>"}}`, read.raw("translations"), "C4 translations")
	assert.Equal(t, `"`+dirty+`"`, read.raw("name"), "C4 C13 names are not cleaned")
	assert.Equal(t, "<i>x</i>", c.get(surveys).results()[0]["appearance"].(map[string]any)["thankYouMessageHeader"], "C4 in lists")

	written := c.patch(mine, `{"description":"x"}`).is(http.StatusOK)
	assert.Contains(t, written.raw("questions"), "script", "C4 not in the answer to a write")
}

// A link of a question that is empty stands in the answer to a write alone.
func TestHostedEmptyLinks(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	for _, link := range []string{`null`, `""`} {
		created, path := c.make(`"questions":[{"id":"1","question":"q","link":` + link + `,"translations":{"de":{"question":"r"}}}]`)
		assert.JSONEq(t, `[{"id":"1","question":"q","link":`+link+`,"translations":{"de":{"question":"r"}}}]`, created.raw("questions"), "C4 link %s when written", link)
		assert.JSONEq(t, `[{"id":"1","question":"q","translations":{"de":{"question":"r"}}}]`, c.get(path).raw("questions"), "C4, C31 link %s when read", link)
		c.delete(path).is(http.StatusNoContent)
	}
	_, path := c.make(`"questions":[{"id":"1","question":"q","link":"https://example.com"}]`)
	assert.Contains(t, c.get(path).raw("questions"), "https://example.com", "C4 a link that is one stays")
}

// A translated link of no value counts as absent, whatever its type, in the answer to the
// write too. A translation that is empty without it goes.
func TestHostedTranslatedLinksOfNoValue(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	for _, link := range []string{`null`, `""`, `0`, `false`, `[]`, `{}`} {
		created, path := c.make(`"questions":[{"id":"1","question":"q","translations":{"de":{"question":"r","link":` + link + `},"fr":{"link":` + link + `}}}]`)
		const want = `[{"id":"1","question":"q","translations":{"de":{"question":"r"}}}]`
		assert.JSONEq(t, want, created.raw("questions"), "D6 link %s when written", link)
		assert.JSONEq(t, want, c.get(path).raw("questions"), "D6 link %s when read", link)
		c.delete(path).is(http.StatusNoContent)
	}
}

// The intro screen is cleaned as the thank-you message is; what is no text stays.
func TestHostedCleansTheIntroScreen(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, _ := c.make(`"appearance":{"introScreenHeader":"<b>a","introScreenDescription":"<i>b<script>c</script>","introScreenButtonText":"<u>d","thankYouMessageHeader":{"x":"<b>e"}}`)
	assert.JSONEq(t, `{"introScreenHeader":"<b>a</b>","introScreenDescription":"<i>b</i>","introScreenButtonText":"<u>d</u>","thankYouMessageHeader":{"x":"<b>e"}}`,
		created.raw("appearance"), "C5 intro screen, and values that are no text")
}

// The work on a request grows with its size: one large one does not keep all others waiting.
func TestHugeRequestsAreServedInTime(t *testing.T) {
	t.Parallel()
	// repeated is n pieces of JSON with numbers in them.
	repeated := func(n int, form string) string {
		pieces := make([]string, n)
		for i := range pieces {
			pieces[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(pieces, ",")
	}

	bodies := map[string]string{
		"languages":             `"translations":{` + repeated(40_000, `"en-a%d":{"name":"x"}`) + `}`,
		"languages of one name": `"translations":{` + repeated(40_000, `"EN_A%d":{"name":"x"}`) + `}`,
		"languages of questions": `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(20_000, `"c%d"`) + `],"translations":{` +
			repeated(20_000, `"en-a%d":{"question":"x"}`) + `}}]`,
		"languages of many questions": `"questions":[` + repeated(20_000, `{"type":"open","question":"%d","translations":{"de":{"question":"x"}}}`) + `]`,
		"questions":                   `"questions":[` + repeated(20_000, `{"type":"open","question":"%d"}`) + `]`,
		"choices":                     `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(100_000, `"c%d"`) + `]}]`,
		"tags":                        `"questions":[{"type":"open","question":"` + strings.Repeat("<b>", 300_000) + `"}]`,
		"appearance":                  `"appearance":{` + repeated(100_000, `"k%d":1`) + `}`,
		"conditions":                  `"conditions":{` + repeated(100_000, `"k%d":1`) + `}`,
		"fields":                      repeated(100_000, `"k%d":1`),
		"pattern":                     `"conditions":{"urlMatchType":"regex","url":"` + strings.Repeat("(", 400_000) + strings.Repeat(")", 400_000) + `"}`,
		"date":                        `"start_date":"2026-` + strings.Repeat("0 ", 400_000) + `"`,
		"filters": `"targeting_flag_filters":{"groups":[` + strings.Repeat(`{"properties":[{"key":"a","value":"b","operator":"exact","type":"person"}]},`, 5000) +
			`{"properties":[]}]}`,
	}

	for name, fields := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := call(t, testserver.Start(t, testserver.Options{Profile: testserver.Hosted})).undocumentedAnswers()
			start := time.Now()
			created := c.post(surveys, `{"name":"S","type":"popover",`+fields+`}`)
			assert.Less(t, created.status, http.StatusInternalServerError)
			if created.status == http.StatusCreated {
				c.patch(surveys+created.object()["id"].(string)+"/", `{`+fields+`}`)
			}
			assert.Less(t, time.Since(start), 60*time.Second)
		})
	}
}

// oddValues are of every JSON type, and of what is hard about them.
var oddValues = []string{
	`null`, `true`, `false`, `0`, `-1`, `1.5`, `1e400`, `12345678901234567890`, `"0001-01-01"`, `"9999-12-31T23:59:59-23:59"`,
	`""`, `" "`, `"\u0000"`, `"\ud800"`, `"<a"`, `"<script>"`, `"\u2028"`, `"mailto:"`, `"https:"`, `"regex"`,
	`[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `[""]`, `[{"id":{}}]`, `{"":null}`, `{"a":{"b":[]}}`, `{"a":1,"a":2}`, `{"values":[{"id":"x"}]}`,
	`{"groups":[{"properties":[{"type":[],"value":{},"operator":"gt"}]}]}`, `{"groups":[],"multivariate":{"variants":[1,{}]}}`,
	`{"de":{"name":"x"},"DE":{"choices":[]}}`,
}

// Whatever is sent, something is answered that a client can read, and what is stored
// can be read, dumped and loaded.
func TestHostedTakesAnyJSON(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, validationFixtures)

	places := []string{
		`"questions":[{"question":ODD}]`, `"conditions":{"url":ODD}`, `"conditions":{"actions":ODD}`, `"conditions":{"actions":{"values":ODD}}`,
		`"conditions":{"seenSurveyWaitPeriodInDays":ODD}`, `"conditions":{"linkedFlagVariant":ODD},"linked_flag_id":2`,
		`"type":"external_survey","conditions":{"events":ODD}`, `"translations":{"de":ODD}`, `"translations":{"de":{"name":ODD}}`,
		`"appearance":{"shuffleQuestions":ODD}`, `"appearance":{"surveyPopupDelaySeconds":ODD}`, `"appearance":{"whiteLabel":ODD}`,
		`"appearance":{"thankYouMessageHeader":ODD}`, `"targeting_flag_filters":{"groups":ODD}`, `"targeting_flag_filters":{"groups":[ODD]}`,
		`"targeting_flag_filters":{"groups":[{"rollout_percentage":ODD}]}`, `"targeting_flag_filters":{"groups":[{"properties":ODD,"rollout_percentage":5}]}`,
		`"targeting_flag_filters":{"groups":[{"properties":[ODD],"rollout_percentage":5}]}`, `"targeting_flag_filters":{"groups":[],"multivariate":ODD}`,
		`"response_sampling_start_date":"2026-02-01","response_sampling_limit":5,"response_sampling_interval":ODD`,
	}
	for _, key := range []string{"id", "description", "choices", "link", "validation", "translations", "branching", "descriptionContentType"} {
		places = append(places, `"questions":[{"question":"q","`+key+`":ODD}]`)
	}
	for _, key := range []string{`"translations":{"de":ODD}`, `"translations":{"de":{"choices":ODD}},"choices":["a"]`, `"validation":[ODD]`, `"choices":[ODD]`} {
		places = append(places, `"questions":[{"question":"q",`+key+`}]`)
	}
	for _, name := range api.Fields("SurveyRequest") {
		places = append(places, `"`+name+`":ODD`)
	}

	for i, place := range places {
		for j, odd := range oddValues {
			if testing.Short() && (i+j)%5 > 0 {
				continue
			}
			sent := "{" + strings.ReplaceAll(place, "ODD", odd) + "}"
			a := c.patch(mine, sent)
			assert.Contains(t, []int{http.StatusOK, http.StatusBadRequest, http.StatusInternalServerError}, a.status, sent)
			a.object()

			if a = c.post(surveys, `{"name":"New","type":"api",`+sent[1:]); a.status == http.StatusCreated {
				path := surveys + a.object()["id"].(string) + "/"
				c.get(path).is(http.StatusOK).object()
				c.delete(path).is(http.StatusNoContent)
			} else {
				assert.Contains(t, []int{http.StatusBadRequest, http.StatusInternalServerError}, a.status, sent)
				deleteLeft(t, srv)
			}

			c.get(surveys).object()
		}

		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), place)
		c.patch(mine, `{"name":"Mine","questions":null,"conditions":null,"appearance":null,"iteration_count":null,
			"response_sampling_start_date":null,"remove_targeting_flag":true}`).is(http.StatusOK)
	}
}

// deleteLeft deletes the survey that an error can leave.
func deleteLeft(t *testing.T, srv *testserver.Instance) {
	t.Helper()
	for _, s := range srv.Surveys(srv.ProjectID) {
		if s["name"] == "New" {
			srv.DeleteSurvey(s["id"].(string))
		}
	}
}
