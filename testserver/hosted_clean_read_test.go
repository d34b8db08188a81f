package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
