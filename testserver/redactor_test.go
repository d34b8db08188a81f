package testserver_test

import (
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// secretKeys are keys of a server: of the form of the service's, and others.
var secretKeys = []string{"phx_" + strings.Repeat("Aa1", 15), "k9-secret.+/=~", "key with blanks"}

// No key is told by the journal or the page, wherever a client puts it, and
// however it is spelled there.
func TestJournalHidesKeys(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, key := range append(secretKeys, "not-a-key-of-the-server") {
			t.Run(string(profile)+" "+key, func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				srv.SetFixtures(`{"api_keys":[{"key":"` + strings.Join(secretKeys, `"},{"key":"`) + `"}]}`)
				c := call(t, srv).undocumentedAnswers().with("Authorization", "Bearer "+key)
				hideEverywhere(c, key)

				told := c.get(control+"requests").is(http.StatusOK).body + journalOf(c.get("/").body)
				for _, r := range srv.Journal() {
					entry, _ := srv.Server.JournalEntry(r.Sequence)
					assert.Equal(t, r, entry)
					told += journalOf(c.get("/?request=" + strconv.FormatInt(r.Sequence, 10)).is(http.StatusOK).body)
				}
				for name, spelled := range spellingsOf(key) {
					if i := strings.Index(told, spelled); i >= 0 {
						t.Errorf("%s: %s", name, told[max(i-200, 0):i+len(spelled)])
					}
				}
				assert.NotContains(t, told, "s3cret")
				assert.Contains(t, told, "shown-value")
			})
		}
	}
}

// hideEverywhere makes requests with the key in each place.
func hideEverywhere(c caller, key string) {
	escaped, quoted := url.QueryEscape(key), `"`+strings.ReplaceAll(key, "e", `\u0065`)+`"`
	c.get(surveys + "?search=shown-value")
	c.with("X-Api-Key", key).with("CF-Access-Client-Secret", "s3cret").with("Cookie", "s3cret").get(surveys)
	c.with("User-Agent", "agent/"+key).with("Referer", "http://x/?token=s3cret").get(surveys)
	c.with("Proxy-Authorization", "s3cret s3cret").get(surveys)
	c.get("/api/" + url.PathEscape(key) + "/surveys/" + url.PathEscape(key))
	c.get(surveys + "?personal_api_key=" + escaped + "&personal%5Fapi%5fkey=" + escaped + "&%zz;personal_api_key=" + escaped)
	c.get(surveys + "?search=" + escaped + "&" + escaped + "=1&token=%" + "zz/" + escaped)

	c.post(surveys, `{"name":"S","type":"api","description":"the key is `+key+`!","personal_api_key":`+quoted+`}`)
	c.post(surveys, `{"name":"S","type":"api","personal\u005fapi_key":`+quoted+`,"personal_api_key":`+quoted+`}`)
	c.post(surveys, `{"name":`+quoted+`,"type":"api","conditions":{"a":[`+quoted+`]}}`)
	c.post(surveys, `{"personal\u005fapi_key":`+quoted+`,`)
	c.post(surveys, "personal_api_key="+escaped)

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	form.post(surveys, "name=S&type=api&personal%5Fapi_key="+escaped+"&description="+escaped)
	parts := "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n%s\r\n%s\r\n--b--\r\n"
	multipart := c.with("Content-Type", "multipart/form-data; boundary=b")
	multipart.post(surveys, strings.NewReplacer("%s\"\r\n%s", "personal_api_key\"\r\n", "%s\r\n--b--", key+"\r\n--b--").Replace(parts))
	multipart.post(surveys, strings.NewReplacer("%s\"\r\n%s", "personal_api_key\"\r\nContent-Transfer-Encoding: quoted-printable\r\n",
		"%s\r\n--b--", strings.ReplaceAll(key, "e", "=65")+"\r\n--b--").Replace(parts))
}

// journalOf is the journal of a page, which besides has the key for clients.
func journalOf(page string) string {
	_, journal, _ := strings.Cut(page, `<section id="journal"`)
	return html.UnescapeString(journal)
}

// spellingsOf are the forms in which a key can be read.
func spellingsOf(key string) map[string]string {
	spelled := map[string]string{
		"as it is": key, "in a query": url.QueryEscape(key), "in a path": url.PathEscape(key),
		"escaped": strings.ReplaceAll(key, "e", `\u0065`), "quoted-printable": strings.ReplaceAll(key, "e", "=65"),
	}
	return spelled
}

// Keys of the service are known by their form, where the server does not have them either.
func TestJournalHidesForeignKeys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, prefix := range []string{"phx_", "phs_"} {
		key := prefix + strings.Repeat("Aa1", 15)
		send(srv.Server, http.MethodPost, surveys+"?search="+key, `{"name":"the key is `+key+`!","type":"api"}`)
		entry, _ := srv.Server.JournalEntry(srv.Server.JournalSince(0, 1).Requests[0].Sequence)
		assert.Equal(t, "search="+url.QueryEscape("[redacted]"), entry.Query)
		assert.JSONEq(t, `{"name":"the key is [redacted]!","type":"api"}`, string(entry.Body))
	}
}

// What is no key stays, also where it has the key in it.
func TestJournalShowsWhatIsNoKey(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Accept-Language", "de")
	body := `{"name":"phx_test_world is no key","type":"api","description":"my-phx_test"}`
	c.post(surveys, body).is(http.StatusCreated)
	c.get(surveys + "?search=phx_test_world&limit=%20&x")
	journal := srv.Journal()
	assert.Equal(t, body, string(journal[0].Body))
	assert.Equal(t, []string{"de"}, journal[0].Headers["Accept-Language"])
	assert.Equal(t, "search=phx_test_world&limit=%20&x", journal[1].Query)
}
