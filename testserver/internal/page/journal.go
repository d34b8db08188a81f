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

// Journal is a part of the journal: the newest requests, or those before one of them.
type Journal struct {
	// Page is the page that shows the journal. Links use its URL.
	*Page

	Filter
	// Before is the number of the request before which the shown ones are; 0 for the newest.
	Before int64
	// Entries are the requests that are shown, newest first. Total is the number of all
	// requests since the journal was emptied, including those that the filter hides, Kept the
	// number of those that the journal still has.
	Entries     []Entry
	Total, Kept int64
	// HasOlder reports whether the filter selects older requests.
	HasOlder bool
	// Detail is the selected request, or nil if there is none.
	Detail *Detail
}

// IsFiltered reports whether the filter may hide requests.
func (j Journal) IsFiltered() bool { return j.Filter != Filter{} }

// View changes when the list is about other requests.
func (j Journal) View() string {
	return string(j.Address("request", "", "survey", "", "app", "", "tab", "", "search", "", "status", ""))
}

// Oldest returns the number of the oldest request that is shown.
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

// count formats a number with a noun in singular or plural.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return formatNumber(n) + " " + noun
}

// formatNumber formats a number with separators between its thousands.
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

// Current reports whether the request is the selected one.
func (r Row) Current() bool {
	return r.Journal.Detail != nil && r.Journal.Detail.Number == r.Number
}

// Entry is a request in the list.
type Entry struct {
	// Number counts the requests of a world from 1.
	Number int64
	// Time is when it arrived.
	Time                time.Time
	Method, Path, Query string
	// Operation is the operationId; it is empty if there is none.
	Operation string
	// Events says which events of apps it has; it is empty if there is none.
	Events string
	// Status is 0 until the response is sent, and for a request that a fault drops.
	Status int
	// Waiting reports whether the response is still to come.
	Waiting  bool
	Duration time.Duration
	// Faults are the rules that hit the request, as they were set.
	Faults []string
	// Attr and Problem are the attribute and the text of an error.
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

// Reason returns the text for the status, or why there is none.
func (e Entry) Reason() string {
	switch {
	case e.Waiting:
		return "waiting"
	case e.Status == 0:
		return "no response"
	}
	return http.StatusText(e.Status)
}

// Code returns the status, or what stands for none in a narrow column.
func (e Entry) Code() string {
	switch {
	case e.Waiting:
		return "···"
	case e.Status == 0:
		return "none"
	}
	return strconv.Itoa(e.Status)
}

// Whole returns the path with its query.
func (e Entry) Whole() string {
	if e.Query == "" {
		return e.Path
	}
	return e.Path + "?" + e.Query
}

// uuidForm matches an ID in a path.
var uuidForm = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// Short returns the path with its query, and of IDs the last eight characters: the first ones of
// IDs that were created at about the same time are equal.
func (e Entry) Short() string {
	return uuidForm.ReplaceAllStringFunc(e.Whole(), func(id string) string { return "…" + id[len(id)-8:] })
}

// FaultText returns the rules that hit the request; it is empty if there is none.
func (e Entry) FaultText() string { return strings.Join(e.Faults, ", ") }

// ProblemText returns the error in a line; it is empty if there is none.
func (e Entry) ProblemText() string {
	if e.Attr == "" || e.Problem == "" {
		return e.Attr + e.Problem
	}
	return e.Attr + ": " + e.Problem
}

// DurationText formats the duration; empty without a response.
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

// Detail is a request with its response.
type Detail struct {
	Entry

	Request, Response Message
	// Curl is the command that sends the request again, without its key.
	Curl string
	// Newer and Older are the numbers of the adjacent requests in the list, or 0.
	Newer, Older int64
}

// Message is a request or a response.
type Message struct {
	// Header has the fields in the form of HTTP, without keys; Fields is their number.
	Header string
	Fields int
	// Body is indented when it is JSON; a note replaces a body that was not kept.
	Body string
}

// maxProblem is the length of the longest error in the list.
const maxProblem = 300

// ReadProblem reads the attribute and the text of an error.
func ReadProblem(body []byte) (attr, detail string) {
	var failure struct{ Attr, Detail any }
	if json.Unmarshal(body, &failure) != nil {
		return "", ""
	}
	attr, _ = failure.Attr.(string)
	detail, _ = failure.Detail.(string)
	return cut(attr, maxProblem), cut(detail, maxProblem)
}

// cut returns a text without what is beyond a number of characters.
func cut(text string, length int) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + " …"
	}
	return text
}

// Filter selects requests of the journal. The zero value selects all.
type Filter struct {
	// Search are words, all of which a request has: in its number as #17, method, path, operation,
	// status as 404 or 4xx, or bodies.
	Search string
	// Errors selects what failed or had no response, Faults what a rule hit, and Writes what may
	// change something.
	Errors, Faults, Writes bool
}

// reads are the methods that change nothing.
var reads = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// matches reports whether the filter selects a request. Nothing that the journal hides can be found.
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

// hasWord reports whether a request has a word: it, its line, which is in lower case, or one of its
// bodies.
func hasWord(e *record.Entry, hide record.Redactor, word, line string) bool {
	// Hiding is slow, and most bodies lack the text anyway.
	return strings.Contains(line, word) ||
		contains(e.Body, word) && contains(hide.RequestBody(e), word) ||
		contains(e.AnswerBody, word) && contains(hide.Body(e.AnswerBody), word)
}

// contains reports whether a body has a text, which is in lower case.
func contains(body []byte, text string) bool {
	return strings.Contains(strings.ToLower(string(body)), text)
}
