package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
)

// JournalLength is the maximum number of requests on the page.
const JournalLength = 100

// Journal is the part of the journal that the page shows: the newest requests, or the requests before a
// given one.
type Journal struct {
	// Page is the page that shows the journal. Links use its URL.
	*Page

	Filter
	// Before is the upper limit of the shown request numbers. It is 0 for the newest requests.
	Before int64
	// Entries are the shown requests, newest first. Total is the number of requests since the journal
	// was emptied, including requests that the filter hides. Kept is the number of requests that the
	// journal still contains.
	Entries     []Entry
	Total, Kept int64
	// HasOlder reports whether the filter selects older requests.
	HasOlder bool
	// Detail is the selected request, or nil if there is none.
	Detail *Detail
}

// IsFiltered reports whether the filter may hide requests.
func (j Journal) IsFiltered() bool { return j.Filter != Filter{} }

// View returns a text that changes when the list shows other requests.
func (j Journal) View() string {
	return string(j.Address("request", "", "survey", "", "app", "", "tab", "", "search", "", "status", ""))
}

// Oldest returns the number of the oldest request in the list.
func (j Journal) Oldest() int64 {
	if len(j.Entries) == 0 {
		return 0
	}
	return j.Entries[len(j.Entries)-1].Number
}

// TotalText formats the number of requests.
func (j Journal) TotalText() string {
	if j.Kept < j.Total {
		return count(j.Total, "request") + ", the newest " + formatNumber(j.Kept) + " are kept"
	}
	return count(j.Total, "request")
}

// count formats a number followed by the noun in singular or plural.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return formatNumber(n) + " " + noun
}

// formatNumber formats a number with thousands separators.
func formatNumber(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Row is a row of the list.
type Row struct {
	Entry

	Journal Journal
}

// Rows returns the rows of the list, newest first.
func (j Journal) Rows() []Row {
	rows := make([]Row, len(j.Entries))
	for i, entry := range j.Entries {
		rows[i] = Row{entry, j}
	}
	return rows
}

// Current reports whether the row's request is selected.
func (r Row) Current() bool {
	return r.Journal.Detail != nil && r.Journal.Detail.Number == r.Number
}

// Entry is a request in the list.
type Entry struct {
	// Number counts the requests of a world from 1.
	Number int64
	// Time is the time at which the request arrived.
	Time                time.Time
	Method, Path, Query string
	// Operation is the operationId. It is empty if there is none.
	Operation string
	// Events describes the app events in the request. It is empty if there are none.
	Events string
	// Status is 0 until the response is sent, or if a fault dropped the request.
	Status int
	// Waiting reports whether the request has no response yet.
	Waiting  bool
	Duration time.Duration
	// Faults are the rules that affected the request, as the client set them.
	Faults []string
	// Attr and Problem are the attribute and the message of an error response.
	Attr, Problem string
}

// Class returns the CSS class for the status.
func (e Entry) Class() string {
	switch {
	case e.Waiting:
		return "waiting"
	case e.Status == 0:
		return "none"
	}
	return "s" + strconv.Itoa(e.Status/100)
}

// Reason returns the text of the status, or the reason why there is no status.
func (e Entry) Reason() string {
	switch {
	case e.Waiting:
		return "waiting"
	case e.Status == 0:
		return "no response"
	}
	return http.StatusText(e.Status)
}

// Code returns the status, or a short placeholder if there is no status.
func (e Entry) Code() string {
	switch {
	case e.Waiting:
		return "···"
	case e.Status == 0:
		return "none"
	}
	return strconv.Itoa(e.Status)
}

// Whole returns the path and the query.
func (e Entry) Whole() string {
	if e.Query == "" {
		return e.Path
	}
	return e.Path + "?" + e.Query
}

// uuidForm matches an ID in a path.
var uuidForm = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// Short returns the path and the query. It shortens IDs to their last eight characters, because IDs that
// were created at about the same time begin with the same characters.
func (e Entry) Short() string {
	return uuidForm.ReplaceAllStringFunc(e.Whole(), func(id string) string { return "…" + id[len(id)-8:] })
}

// FaultText returns the rules that affected the request. It is empty if there are none.
func (e Entry) FaultText() string { return strings.Join(e.Faults, ", ") }

// ProblemText returns the error in one line. It is empty if there is no error.
func (e Entry) ProblemText() string {
	if e.Attr == "" || e.Problem == "" {
		return e.Attr + e.Problem
	}
	return e.Attr + ": " + e.Problem
}

// DurationText formats the duration. It is empty if there is no response.
func (e Entry) DurationText() string {
	switch {
	case e.Status == 0:
		return ""
	case e.Duration < time.Millisecond:
		return strconv.FormatInt(e.Duration.Microseconds(), 10) + " µs"
	case e.Duration < 10*time.Second:
		return strconv.FormatInt(e.Duration.Milliseconds(), 10) + " ms"
	default:
		return e.Duration.Round(time.Second).String()
	}
}

// Detail is a request and its response.
type Detail struct {
	Entry

	Request, Response Message
	// Curl is the command that repeats the request, without its API key.
	Curl string
	// Newer and Older are the numbers of the adjacent requests in the list. 0 means that there is none.
	Newer, Older int64
}

// Message is a request or a response.
type Message struct {
	// Header contains the header fields as in HTTP/1.1, without API keys. Fields is their number.
	Header string
	Fields int
	// Body is indented if it is JSON. For a body that the journal dropped, it contains a note.
	Body string
}

// maxProblem is the maximum length of an error in the list.
const maxProblem = 300

// ReadProblem returns the attribute and the message of an error response.
func ReadProblem(body []byte) (attr, detail string) {
	var failure struct{ Attr, Detail any }
	if json.Unmarshal(body, &failure) != nil {
		return "", ""
	}
	attr, _ = failure.Attr.(string)
	detail, _ = failure.Detail.(string)
	return cut(attr, maxProblem), cut(detail, maxProblem)
}

// cut shortens a text to length characters.
func cut(text string, length int) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + " …"
	}
	return text
}

// Filter selects requests in the journal. The zero value selects all requests.
type Filter struct {
	// Search contains words that a request must match. Each word may occur in the number (as #17), the
	// method, the path, the operation, the status (as 404 or 4xx), or a body.
	Search string
	// Errors selects requests that failed or have no response, Faults selects requests that a fault
	// affected, and Writes selects requests that may have changed something.
	Errors, Faults, Writes bool
}

// reads are the methods that change nothing.
var reads = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// matches reports whether the filter selects a request. It searches only text that the journal shows.
func (f Filter) matches(e *record.Entry, keys []string) bool {
	switch {
	case f.Errors && (!e.Ended || e.Status > 0 && e.Status < http.StatusBadRequest):
		return false
	case f.Faults && len(e.Faults) == 0:
		return false
	case f.Writes && slices.Contains(reads, e.Method):
		return false
	}

	words := strings.Fields(strings.ToLower(f.Search))
	if len(words) == 0 {
		return true
	}
	hide := e.Redactor(keys)
	line := fmt.Sprintf("#%d %s %s?%s %s", e.Sequence, e.Method, hide.Text(e.Path), hide.Query(e.Query), e.Operation)
	if e.Status > 0 {
		line += fmt.Sprintf(" %d %dxx", e.Status, e.Status/100)
	}
	line = strings.ToLower(line)
	return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(e, hide, word, line) })
}

// hasWord reports whether a request contains a word, in its line in lower case or in one of its bodies.
func hasWord(e *record.Entry, hide record.Redactor, word, line string) bool {
	// Check the unredacted body first, because redaction is slow and most bodies don't contain the word.
	return strings.Contains(line, word) ||
		contains(e.Body, word) && contains(hide.RequestBody(e), word) ||
		contains(e.AnswerBody, word) && contains(hide.Body(e.AnswerBody), word)
}

// contains reports whether a body contains a text, which must be in lower case.
func contains(body []byte, text string) bool {
	return strings.Contains(strings.ToLower(string(body)), text)
}
