package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// journal is the part of the journal that the query of the page selects. An open page has a
// selection, which remembers what was looked at before; it is nil otherwise.
func (p pages) journal(query url.Values, open *selection) page.Journal {
	shown := page.Journal{Filter: filterOf(query)}
	// What is no number is no place in the journal: the newest requests are shown.
	shown.Before, _ = strconv.ParseInt(query.Get("before"), 10, 64)
	shown.Before = max(shown.Before, 0)

	keys := *p.server.contents.keys.Load()
	if open == nil {
		open = &selection{}
	}
	entries := open.update(&p.server.journal, shown.Filter, shown.Before, keys)
	shown.Total, shown.Kept, shown.Cleared = p.server.journal.counts()

	if shown.HasOlder = len(entries) > page.JournalLength; shown.HasOlder {
		entries = entries[:page.JournalLength]
	}
	for _, e := range entries {
		shown.Entries = append(shown.Entries, e.pageEntry(keys))
	}
	return shown
}

// filterOf is the filter of the journal in the query of the page.
func filterOf(query url.Values) page.Filter {
	return page.Filter{
		Search: strings.TrimSpace(query.Get("q")),
		Errors: query.Get("errors") != "", Faults: query.Get("faults") != "", Writes: query.Get("writes") != "",
	}
}

// counts are the number of requests since the journal was emptied, of those that it keeps, and
// the revision at which it was emptied.
func (j *journal) counts() (total, kept, cleared int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sequence - j.clearedBefore, int64(len(j.entries)), j.cleared
}

// maxReadError is the size of the largest response of which the list shows the error.
const maxReadError = 8 << 10

// pageEntry is the row of the entry.
func (e *entry) pageEntry(keys []string) page.Entry {
	hide := e.redactor(keys)
	shown := page.Entry{
		Number: e.sequence, Time: e.started, Clock: e.at, Method: e.method, Path: hide.text(e.path), Query: hide.query(e.query),
		Operation: e.operation, Events: hide.text(e.events), Status: e.status, Waiting: !e.ended, Duration: e.duration,
	}
	for _, hit := range e.hits {
		shown.Faults = append(shown.Faults, hit.words.Effects...)
	}
	if e.status >= http.StatusBadRequest && len(e.responseBody) <= maxReadError {
		attr, problem := page.ProblemOf(e.responseBody)
		shown.Attr, shown.Problem = hide.text(attr), hide.text(problem)
	}
	return shown
}

// addRequest adds the request that the query of the page selects. An open page has it already,
// unless its response has come since.
func (p pages) addRequest(shown *page.Page, query url.Values, open *selection, address string) error {
	text := query.Get("request")
	if text == "" {
		return nil
	}
	number, err := strconv.ParseInt(text, 10, 64)
	e, ok := p.server.journal.numbered(number)
	if err != nil || !ok {
		return fmt.Errorf("request %s is not in the journal", text)
	}

	keys := *p.server.contents.keys.Load()
	if open != nil && !open.lacks(&e) {
		shown.Journal.Detail = &page.Detail{Entry: e.pageEntry(keys)}
		return nil
	}
	detail := e.pageDetail(keys, address)
	detail.Fresh = open != nil
	detail.Newer, detail.Older = p.server.journal.beside(number, shown.Journal.Filter, keys)
	shown.Journal.Detail = &detail
	return nil
}

// pageDetail is the entry with request and response, of a server at an address.
func (e *entry) pageDetail(keys []string, address string) page.Detail {
	r := e.request(keys)
	detail := page.Detail{Entry: e.pageEntry(keys), Request: messageOf(r.Headers, r.Body, r.BodySize, r.BodyOmitted)}
	if r.Answer != nil {
		detail.Response = messageOf(r.Answer.Headers, r.Answer.Body, r.Answer.Size, r.Answer.Omitted)
	}

	var rules []string
	for _, rule := range r.Faults {
		rules = append(rules, shortened(string(rule)))
	}
	detail.Rule = strings.Join(rules, ", ")

	target := (&url.URL{Path: r.Path, RawQuery: r.Query}).String()
	detail.Curl = page.Curl(r.Method, address+target, r.Headers.Get("Content-Type"), plainBody(r.Body, r.BodySize))
	return detail
}

// messageOf is a request or a response for display.
func messageOf(header http.Header, body json.RawMessage, size int, omitted bool) page.Message {
	fields := 0
	for _, values := range header {
		fields += len(values)
	}
	return page.Message{Header: headerText(header), Fields: fields, Body: bodyText(body, size, omitted)}
}

// headerText formats a header as in HTTP/1.1, sorted by name.
func headerText(header http.Header) string {
	var lines []string
	for name, values := range header {
		for _, value := range values {
			lines = append(lines, name+": "+value+"\n")
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// plainBody is a body as it was sent; empty for one that is not kept.
func plainBody(body json.RawMessage, size int) string {
	switch {
	case size == 0 || string(body) == "null":
		return ""
	case rawjson.IsString(body):
		return rawjson.Unquote(body)
	}
	return string(body)
}

// maxShownBody is the length of the longest body on the page.
const maxShownBody = 256 << 10

// bodyText formats a body for display: indented JSON, other text as it is, or a note that it
// was not kept.
func bodyText(body json.RawMessage, size int, omitted bool) string {
	text := ""
	switch {
	case omitted:
		return fmt.Sprintf("(%d bytes, not kept)", size)
	case size == 0:
		return ""
	case rawjson.IsString(body):
		text = cmp.Or(rawjson.Unquote(body), string(body))
	default:
		text = indented(body)
	}
	if len(text) > maxShownBody {
		return strings.ToValidUTF8(text[:maxShownBody], "") + fmt.Sprintf("\n… (the first %d bytes of %d; the journal as JSON has all)", maxShownBody, len(text))
	}
	return text
}
