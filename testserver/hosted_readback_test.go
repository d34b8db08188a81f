package testserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is read back differs from what was written: strings, dates, languages.
func TestHostedNormalisation(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")

	for _, row := range []struct{ name, sent, stored string }{
		{"1.2(1) name", `"name":" \t Outer  blanks\u00a0\n"`, `"Outer  blanks"`},
		{"1.2(1) description", `"description":"\n a \n"`, `"a"`},
		{"1.2(1) description", `"description":"   "`, `""`},
		{"1.2(1) schedule", `"schedule":" always "`, `"always"`},
		{"1.2(1) base_language", `"base_language":" es "`, `"es"`},
		{"1.2(1) JSON is not trimmed", `"appearance":{"thankYouMessageHeader":" a "}`, `{"thankYouMessageHeader":" a "}`},
		{"1.2(1) questions are not trimmed", `"questions":[{"id":"1","question":" a "}]`, `[{"id":"1","question":" a "}]`},
		{"1.2(4) naive is UTC", `"start_date":"2023-04-01T12:00:10"`, `"2023-04-01T12:00:10Z"`},
		{"1.2(4) offset", `"start_date":"2023-04-01T12:00:10+02:00"`, `"2023-04-01T10:00:10Z"`},
		{"1.2(4) offset over midnight", `"end_date":"2023-04-01T00:30:00+05:30"`, `"2023-03-31T19:00:00Z"`},
		{"1.2(4) no seconds", `"end_date":"2023-04-01T12:00"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(4) fraction of zero", `"end_date":"2023-04-01T12:00:00.000Z"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(4) fraction", `"end_date":"2023-04-01T12:00:00.5Z"`, `"2023-04-01T12:00:00.500000Z"`},
		{"1.2(4) finer than microseconds", `"end_date":"2023-04-01T12:00:00.1234569Z"`, `"2023-04-01T12:00:00.123456Z"`},
		{"1.2(4) date only", `"end_date":"2023-04-01"`, `"2023-04-01T00:00:00Z"`},
		{"1.2(4) blank for T", `"end_date":"2023-04-01 12:00:00Z"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(8) base_language", `"base_language":"Pt_BR"`, `"pt-br"`},
		{"1.2(8) keys", `"translations":{"Ro_RO":{"name":"x"}}`, `{"ro-ro":{"name":"x"}}`},
		{"1.2(8) unknown fields", `"translations":{"ro":{"name":"x","zz":"y","type":1}}`, `{"ro":{"name":"x"}}`},
		{"1.2(8) empty entries", `"translations":{"ro":{"zz":"y"},"fr":{},"de":{"name":""}}`, `{"de":{"name":""}}`},
		{
			"1.2(8) question translations", `"questions":[{"id":"1","question":"q","translations":{"Ro_RO":{"question":"x","zz":1}}}]`,
			`[{"id":"1","question":"q","translations":{"ro-ro":{"question":"x"}}}]`,
		},
		{
			"1.2(8) choices of a question without", `"questions":[{"id":"1","question":"q","translations":{"ro":{"choices":["x"],"question":"y"}}}]`,
			`[{"id":"1","question":"q","translations":{"ro":{"question":"y"}}}]`,
		},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(row.sent, `"`), `"`)
		assert.Equal(t, row.stored, c.patch(path, "{"+row.sent+"}").is(http.StatusOK).raw(name), row.name)
		assert.Equal(t, row.stored, c.get(path).raw(name), row.name)
		c.patch(path, `{"translations":null,"base_language":"en"}`).is(http.StatusOK)
	}
}

const uuidForm = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`

func TestHostedQuestionIDs(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")

	created, path := c.make(`"questions":[{"question":"a"},{"id":"custom-id-1","question":"b"},{"id":"","question":"c"},{"id":null,"question":"d"}]`)
	read := c.get(path)
	assert.Equal(t, created.questionIDs(), read.questionIDs(), "1.2(2) the same when read")
	ids := read.questionIDs()

	assert.Equal(t, "custom-id-1", ids[1], "1.2(2) ids of any form are kept")
	for i, id := range ids {
		if i != 1 {
			assert.Regexp(t, "^"+uuidForm+"$", id, "1.2(2) a UUID v4")
		}
	}
	assert.Equal(t, `{"question":"a","id":"`+ids[0]+`"}`, string(created.questions()[0]), "1.2(2) at the end when it was not sent")

	c.patch(path, `{"description":"x"}`).is(http.StatusOK)
	assert.Equal(t, ids, c.get(path).questionIDs(), "1.2(2) kept by other updates")

	again := c.patch(path, `{"questions":[{"question":"a"}]}`).questionIDs()
	assert.Len(t, again, 1, "1.2(2) the list is replaced whole")
	assert.NotEqual(t, ids[0], again[0], "1.2(2) a new id each time")

	kept := c.patch(path, `{"questions":[{"question":"new","id":"`+again[0]+`"}]}`).questionIDs()
	assert.Equal(t, again, kept, "1.2(2) an id that is sent stays")

	c.patch(path, `{"questions":[{"question":"n","type":"unheard_of","zz":{"y":[9007199254740993,null]},"branching":{"type":"odd"},"id":"1","scale":11}]}`).is(http.StatusOK)
	assert.JSONEq(t, `[{"question":"n","type":"unheard_of","zz":{"y":[9007199254740993,null]},"branching":{"type":"odd"},"id":"1","scale":11}]`,
		c.get(path).raw("questions"), "2 unknown keys, kinds, branchings and scales pass")
	assert.Contains(t, c.get(path).raw("questions"), "9007199254740993", "2 unknown keys pass")
}

// questions are the questions of an answer as they are on the wire.
func (a answer) questions() []json.RawMessage {
	a.t.Helper()
	var questions []json.RawMessage
	require.NoError(a.t, json.Unmarshal([]byte(a.raw("questions")), &questions))
	return questions
}

func (a answer) questionIDs() []string {
	a.t.Helper()
	var ids []string
	for _, raw := range a.questions() {
		var q struct{ ID string }
		require.NoError(a.t, json.Unmarshal(raw, &q))
		ids = append(ids, q.ID)
	}
	return ids
}

// What cleaning makes of texts. Where it does not find markup it touches nothing.
func TestHostedCleaning(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")

	for _, row := range []struct{ name, sent, stored string }{
		{"1.2(3) no markup: less than", `a < b && c > d`, `a < b && c > d`},
		{"1.2(3) no markup: entity", `Q&amp;A &lt;b&gt;`, `Q&amp;A &lt;b&gt;`},
		{"1.2(3) no markup: open tag", `a <b`, `a <b`},
		{"1.2(3) no markup: heart", `I <3 you`, `I <3 you`},
		{"1.2(3) script", `<b>We'll use it to make notebooks better.<script>alert(0)</script>`, `<b>We'll use it to make notebooks better.</b>`},
		{"1.2(3) script alone", `<script>alert(0)</script>`, ``},
		{"1.2(3) style", `a<style>p{}</style>b`, `ab`},
		{"1.2(3) comment", `a<!-- b -->c`, `ac`},
		{"1.2(3) doctype", `<!DOCTYPE html>a`, `a`},
		{"1.2(3) unclosed", `<p>one<p>two <i>x`, `<p>one</p><p>two <i>x</i></p>`},
		{"1.2(3) unknown tag", `<form>a <button>b</button></form><blink>c</blink>`, `a bc`},
		{"1.2(3) not media", `<video src="x">v</video><svg><path d="m"/></svg>z`, `vz`},
		{"1.2(3) link", `<a href="https://example.com" onclick="x()">a</a>`, `<a href="https://example.com" rel="noopener">a</a>`},
		{"1.2(3) link with rel", `<a href="/x" rel="nofollow" target="_blank">a</a>`, `<a href="/x" target="_blank" rel="noopener">a</a>`},
		{"1.2(3) link with script", `<a href=" java&#10;script:x()">a</a>`, `<a rel="noopener">a</a>`},
		{"1.2(3) image", `<img src=x.png alt="a&quot;b" onerror=x align=left>`, `<img src="x.png" alt="a&quot;b" align="left">`},
		{"1.2(3) attributes of all tags", `<span style="color: red" lang=en title=t width=1 height=2 class=c id=i>a</span>`, `<span style="color: red" lang="en" title="t" width="1" height="2">a</span>`},
		{"1.2(3) bare signs beside a tag", `R&D <b>"it's"</b> 1 < 2 > 0`, `R&amp;D <b>"it's"</b> 1 &lt; 2 &gt; 0`},
		{"1.2(3) hard blank beside a tag", "a\u00a0<b>b</b>", `a&nbsp;<b>b</b>`},
		{"1.2(3) void", `a<br/>b<hr>`, `a<br>b<hr>`},
		{"1.2(3) nothing to change", `<ul><li><em>a</em></li></ul>`, `<ul><li><em>a</em></li></ul>`},
		{"1.2(3) capitals", `<B>a</B>`, `<b>a</b>`},
		{"1.2(3) table", `<table><tr><td bgcolor=red>a`, `<table><tbody><tr><td bgcolor="red">a</td></tr></tbody></table>`},
	} {
		c.patch(path, `{"questions":[{"id":"1","question":`+quoted("."+row.sent)+`}]}`).is(http.StatusOK)
		assert.JSONEq(t, `[{"id":"1","question":`+quoted("."+row.stored)+`}]`, c.get(path).raw("questions"), row.name)
	}

	c.patch(path, `{"questions":[{"id":"1","question":"<script>x</script>"}]}`).is(http.StatusOK)
	assert.JSONEq(t, `[{"id":"1","question":""}]`, c.get(path).raw("questions"), "1.2(3) nothing left")
}

// Which texts are cleaned, and which are not.
func TestHostedCleanedFields(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	const dirty, clean = `<i>x<script>y</script>`, `<i>x</i>`
	text := `"question":"DIRTY","description":"DIRTY","buttonText":"DIRTY","lowerBoundLabel":"DIRTY","upperBoundLabel":"DIRTY"`
	sent := `{"questions":[{"id":"1",` + text + `,"choices":["DIRTY","b"],"link":"https://x/DIRTY",
		"translations":{"de":{` + text + `,"choices":["DIRTY","c"],"link":"https://x/DIRTY"}},"other":"KEEP","placeholder":"KEEP"}],
		"appearance":{"thankYouMessageHeader":"DIRTY","thankYouMessageDescription":"DIRTY","thankYouMessageCloseButtonText":"DIRTY","submitButtonText":"KEEP"},
		"translations":{"de":{"name":"DIRTY","description":"DIRTY","thankYouMessageHeader":"DIRTY","thankYouMessageDescription":"DIRTY","thankYouMessageCloseButtonText":"DIRTY"}},
		"conditions":{"selector":"KEEP"},"form_content":{"k":"KEEP"},"description":"KEEP","name":"KEEP"}`
	written := c.patch(path, strings.NewReplacer("DIRTY", dirty, "KEEP", dirty).Replace(sent)).is(http.StatusOK)
	var want map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(strings.NewReplacer("KEEP", dirty, "DIRTY", clean).Replace(sent)), &want))
	for name, value := range want {
		assert.JSONEq(t, string(value), written.raw(name), "1.2(3) fields: %s", name)
		assert.JSONEq(t, string(value), c.get(path).raw(name), "1.2(3) fields: %s", name)
	}
}

const actionFixtures = `{"projects":[{"id":1},{"id":2}],"actions":[{"id":3,"project_id":1,"name":"Signed up"},{"id":2,"project_id":1,"name":"Paid"},{"id":9,"project_id":2}]}`

// The database has an order of its own: keys by length, then by their bytes.
func TestHostedKeyOrder(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make(`"questions":[{"type":"open","question":"q","id":"1","zz":{"bb":1,"a":2,"a":3}}],"appearance":{"zz":1,"b":2}`)
	assert.Equal(t, `[{"type":"open","question":"q","id":"1","zz":{"bb":1,"a":2,"a":3}}]`, created.raw("questions"), "1.2(10) as it was sent")
	assert.Equal(t, `[{"id":"1","zz":{"a":3,"bb":1},"type":"open","question":"q"}]`, c.get(path).raw("questions"), "1.2(10) as it is stored")
	updated := c.patch(path, `{"appearance":{"zz":1,"b":3}}`)
	assert.Equal(t, `{"zz":1,"b":3}`, updated.raw("appearance"), "1.2(10) as it was sent")
	assert.Equal(t, c.get(path).raw("questions"), updated.raw("questions"), "1.2(10) what was not sent is as it is stored")
}
