package service_test

import (
	"fmt"
	"net/http"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// asked returns a question with further members.
func asked(more string) string { return `"questions":[{"question":"q",` + more + `}]` }

func TestHostedTakesQuestions(t *testing.T) {
	t.Parallel()
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

// For markup stored before PostHog cleaned it, the responses to a read and to a write differ.
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

// Only the response to a write contains an empty link of a question.
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

// A falsy translated link of any type counts as missing, even in the response to the write. If the
// translation is then empty, it is removed.
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

// The intro screen is cleaned like the thank-you message. Values of other types stay unchanged.
func TestHostedCleansTheIntroScreen(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, _ := c.make(`"appearance":{"introScreenHeader":"<b>a","introScreenDescription":"<i>b<script>c</script>","introScreenButtonText":"<u>d","thankYouMessageHeader":{"x":"<b>e"}}`)
	assert.JSONEq(t, `{"introScreenHeader":"<b>a</b>","introScreenDescription":"<i>b</i>","introScreenButtonText":"<u>d</u>","thankYouMessageHeader":{"x":"<b>e"}}`,
		created.raw("appearance"), "C5 intro screen, and values that are no text")
}

// TestWorkGrowsWithTheRequest compares the memory allocated for two requests, one twice as large as the
// other, because a single request must not delay all others. It does not run in parallel with other
// tests, because it counts all allocations of the process.
func TestWorkGrowsWithTheRequest(t *testing.T) { //nolint:paralleltest // it counts allocations of the process
	for name := range largeRequests(1) {
		cost := func(scale int) uint64 {
			_, c := startHosted(t, "")
			c, fields := c.undocumentedAnswers(), largeRequests(scale)[name]
			before := allocated()
			created := c.post(surveys, `{"name":"S","type":"popover",`+fields+`}`)
			assert.Less(t, created.status, http.StatusInternalServerError, name)
			if created.status == http.StatusCreated {
				c.patch(surveys+created.object()["id"].(string)+"/", `{`+fields+`}`)
			}
			return allocated() - before
		}
		assert.Less(t, cost(200), 3*cost(100)+1<<20, name)
	}
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// largeRequests returns survey fields by name. Their size grows with scale.
func largeRequests(scale int) map[string]string {
	// repeated returns n JSON fragments, each with its index.
	repeated := func(n int, form string) string {
		pieces := make([]string, n*scale)
		for i := range pieces {
			pieces[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(pieces, ",")
	}
	return map[string]string{
		"languages":             `"translations":{` + repeated(40, `"en-a%d":{"name":"x"}`) + `}`,
		"languages of one name": `"translations":{` + repeated(40, `"EN_A%d":{"name":"x"}`) + `}`,
		"languages of questions": `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(20, `"c%d"`) + `],"translations":{` +
			repeated(20, `"en-a%d":{"question":"x"}`) + `}}]`,
		"languages of many questions": `"questions":[` + repeated(20, `{"type":"open","question":"%d","translations":{"de":{"question":"x"}}}`) + `]`,
		"questions":                   `"questions":[` + repeated(20, `{"type":"open","question":"%d"}`) + `]`,
		"choices":                     `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(100, `"c%d"`) + `]}]`,
		"tags":                        `"questions":[{"type":"open","question":"` + strings.Repeat("<b>", 300*scale) + `"}]`,
		"appearance":                  `"appearance":{` + repeated(100, `"k%d":1`) + `}`,
		"conditions":                  `"conditions":{` + repeated(100, `"k%d":1`) + `}`,
		"fields":                      repeated(100, `"k%d":1`),
		"pattern":                     `"conditions":{"urlMatchType":"regex","url":"` + strings.Repeat("(", 400*scale) + strings.Repeat(")", 400*scale) + `"}`,
		"date":                        `"start_date":"2026-` + strings.Repeat("0 ", 400*scale) + `"`,
		"filters": `"targeting_flag_filters":{"groups":[` + strings.Repeat(`{"properties":[{"key":"a","value":"b","operator":"exact","type":"person"}]},`, 5*scale) +
			`{"properties":[]}]}`,
	}
}

// oddValues contains values of every JSON type, including unusual ones.
var oddValues = []string{
	`null`, `true`, `false`, `0`, `-1`, `1.5`, `1e400`, `12345678901234567890`, `"0001-01-01"`, `"9999-12-31T23:59:59-23:59"`,
	`""`, `" "`, `"\u0000"`, `"\ud800"`, `"<a"`, `"<script>"`, `"\u2028"`, `"mailto:"`, `"https:"`, `"regex"`,
	`[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `[""]`, `[{"id":{}}]`, `{"":null}`, `{"a":{"b":[]}}`, `{"a":1,"a":2}`, `{"values":[{"id":"x"}]}`,
	`{"groups":[{"properties":[{"type":[],"value":{},"operator":"gt"}]}]}`, `{"groups":[],"multivariate":{"variants":[1,{}]}}`,
	`{"de":{"name":"x"},"DE":{"choices":[]}}`,
}

// For any value, the client receives a valid response, and the store can be read, dumped, and loaded.
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

// deleteLeft deletes a survey that was saved despite an error.
func deleteLeft(t *testing.T, srv *contents) {
	t.Helper()
	if left := srv.Store.SurveyByName(1, "New"); left != nil {
		srv.DeleteSurvey(left.ID.String())
	}
}
