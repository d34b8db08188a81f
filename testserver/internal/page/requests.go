package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
)

// journal returns the part of the journal that the page's query selects.
func (p pages) journal(query url.Values) Journal {
	journal := Journal{Filter: readFilter(query)}
	// For an invalid number, the page shows the newest requests.
	journal.Before, _ = strconv.ParseInt(query.Get("before"), 10, 64)
	journal.Before = max(journal.Before, 0)
	journal.Total, journal.Kept = p.world.Journal().Counts()

	keys := p.world.Keys()
	for e := range filterEntries(slices.Backward(p.world.Journal().Entries()), journal.Filter, keys) {
		if journal.Before > 0 && e.Sequence >= journal.Before {
			continue
		}
		if journal.HasOlder = len(journal.Entries) == JournalLength; journal.HasOlder {
			break
		}
		journal.Entries = append(journal.Entries, pageEntry(e, keys))
	}
	return journal
}

// filterEntries returns the entries that a filter selects.
func filterEntries(entries iter.Seq2[int, *record.Entry], filter Filter, keys []string) iter.Seq[*record.Entry] {
	return func(yield func(*record.Entry) bool) {
		for _, e := range entries {
			if filter.matches(e, keys) && !yield(e) {
				return
			}
		}
	}
}

// readFilter reads the journal filter from the page's query.
func readFilter(query url.Values) Filter {
	return Filter{
		Search: strings.TrimSpace(query.Get("q")),
		Errors: query.Get("errors") != "", Faults: query.Get("faults") != "", Writes: query.Get("writes") != "",
	}
}

const (
	// maxReadError is the maximum size of a response whose error the list shows.
	maxReadError = 8 << 10
	// maxShownTarget is the maximum length of a URL in the list. maxReadTarget is the length that is first read and
	// redacted. It is longer, so that no key in the shown part is cut off.
	maxShownTarget = 1 << 10
	maxReadTarget  = 4 << 10
)

// pageEntry returns the row of an entry.
func pageEntry(e *record.Entry, keys []string) Entry {
	hide := e.Redactor(keys)
	entry := Entry{
		Number: e.Sequence, Time: e.Started, Method: e.Method, Operation: e.Operation, Events: hide.Text(e.Events),
		Path:   shorten(hide.Text(e.Path[:min(maxReadTarget, len(e.Path))]), maxShownTarget),
		Query:  shorten(hide.Query(e.Query[:min(maxReadTarget, len(e.Query))]), maxShownTarget),
		Status: e.Status, Waiting: !e.Ended, Duration: e.Duration,
	}
	for _, rule := range e.Faults {
		entry.Faults = append(entry.Faults, shorten(string(rule), maxShownRule))
	}
	if e.Status >= http.StatusBadRequest && len(e.AnswerBody) <= maxReadError {
		attr, problem := ReadProblem(e.AnswerBody)
		entry.Attr, entry.Problem = hide.Text(attr), hide.Text(problem)
	}
	return entry
}

// addRequest adds the request that the page's query selects.
func (p pages) addRequest(page *Page, query url.Values, address string) error {
	text := query.Get("request")
	if text == "" {
		return nil
	}
	number, err := strconv.ParseInt(text, 10, 64)
	e := p.world.Journal().EntryByNumber(number)
	if err != nil || e == nil {
		return fmt.Errorf("request %s is not in the journal", text)
	}

	keys := p.world.Keys()
	detail := pageDetail(e, keys, address)
	entries := p.world.Journal().Entries()
	index, _ := slices.BinarySearchFunc(entries, number, func(e *record.Entry, number int64) int { return cmp.Compare(e.Sequence, number) })
	for newer := range filterEntries(slices.All(entries[min(index+1, len(entries)):]), page.Journal.Filter, keys) {
		detail.Newer = newer.Sequence
		break
	}
	for older := range filterEntries(slices.Backward(entries[:index]), page.Journal.Filter, keys) {
		detail.Older = older.Sequence
		break
	}
	page.Journal.Detail = &detail
	return nil
}

// pageDetail returns an entry with its request and response. address is the server's URL.
func pageDetail(e *record.Entry, keys []string, address string) Detail {
	r := record.NewRequest(e, keys)
	detail := Detail{Entry: pageEntry(e, keys), Request: newMessage(r.Headers, r.Body, r.BodySize, r.BodyOmitted)}
	if r.Answer != nil {
		detail.Response = newMessage(r.Answer.Headers, r.Answer.Body, r.Answer.Size, r.Answer.Omitted)
	}

	target := (&url.URL{Path: r.Path, RawQuery: r.Query}).String()
	detail.Curl = Curl(r.Method, address+target, r.Headers.Get("Content-Type"), plainBody(r.Body, r.BodySize))
	return detail
}

// newMessage returns a request or a response for display.
func newMessage(header http.Header, body json.RawMessage, size int, omitted bool) Message {
	fields := 0
	for _, values := range header {
		fields += len(values)
	}
	return Message{Header: headerText(header), Fields: fields, Body: bodyText(body, size, omitted)}
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

// plainBody returns a body as the client sent it. It is empty if the journal dropped the body.
func plainBody(body json.RawMessage, size int) string {
	var text string
	switch {
	case size == 0 || string(body) == "null":
		return ""
	case json.Unmarshal(body, &text) == nil:
		return text
	}
	return string(body)
}

// maxShownBody is the maximum length of a body on the page.
const maxShownBody = 256 << 10

// bodyText formats a body for display. It indents JSON, keeps other text unchanged, and returns a note if
// the journal dropped the body.
func bodyText(body json.RawMessage, size int, omitted bool) string {
	switch {
	case omitted:
		return fmt.Sprintf("(%d bytes, not stored)", size)
	case size == 0:
		return ""
	}
	var text string
	if json.Unmarshal(body, &text) != nil || text == "" {
		text = indentJSON(body)
	}
	if len(text) > maxShownBody {
		return strings.ToValidUTF8(text[:maxShownBody], "") + fmt.Sprintf("\n… (the first %d bytes of %d; the journal as JSON has all)", maxShownBody, len(text))
	}
	return text
}
