package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// journal is the newest part of the journal, filtered by the query of the page.
func (p pages) journal(query url.Values) page.Journal {
	shown := page.Journal{Operation: query.Get("operation"), Status: query.Get("status"), Operations: operationNames()}
	p.server.journal.show(&shown, *p.server.contents.keys.Load())
	return shown
}

// show fills in the newest entries that pass the filter, newest first.
func (j *journal) show(shown *page.Journal, keys []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	shown.Total, shown.Kept, shown.Cleared = j.sequence-j.clearedBefore, int64(len(j.entries)), j.cleared

	for _, e := range slices.Backward(j.entries) {
		if len(shown.Entries) == page.JournalLength {
			return
		}
		if shown.Matches(e.operation, e.status) {
			shown.Entries = append(shown.Entries, e.pageEntry(keys))
		}
	}
}

// pageEntry is the row of the entry.
func (e *entry) pageEntry(keys []string) page.Entry {
	hide := e.redactor(keys)
	return page.Entry{
		Number: e.sequence, Time: e.at, Method: e.method, Path: hide.text(e.path), Query: hide.query(e.query), Operation: e.operation,
		Status: e.status, Waiting: !e.ended, Duration: e.duration, Fault: len(e.hits) > 0,
	}
}

// pageDetail is the entry with request and response.
func (e *entry) pageDetail(keys []string) page.Detail {
	r := e.request(keys)
	detail := page.Detail{
		Entry:         e.pageEntry(keys),
		RequestHeader: headerText(r.Headers), RequestBody: bodyText(r.Body, r.BodySize, r.BodyOmitted),
	}
	if r.Answer != nil {
		detail.AnswerHeader = headerText(r.Answer.Headers)
		detail.AnswerBody = bodyText(r.Answer.Body, r.Answer.Size, r.Answer.Omitted)
	}

	var rules []string
	for _, rule := range r.Faults {
		rules = append(rules, string(rule))
	}
	detail.Rule = strings.Join(rules, ", ")
	return detail
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

// bodyText formats a body for display: indented JSON, other text as it is, or a note that it
// was not kept.
func bodyText(body json.RawMessage, size int, omitted bool) string {
	switch {
	case omitted:
		return fmt.Sprintf("(%d bytes, not kept)", size)
	case size == 0:
		return ""
	case rawjson.IsString(body):
		return cmp.Or(rawjson.Unquote(body), string(body))
	default:
		return indented(body)
	}
}
