package page

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// JournalLength is the maximum number of requests on the page, the newest ones.
const JournalLength = 100

// Journal is the newest part of the journal.
type Journal struct {
	// Page is the page that it is part of, for addresses.
	*Page

	// Operation and Status filter: an operationId, and a status or its first digit as in
	// 4xx; empty for all.
	Operation, Status string
	// Operations are the operations that can be filtered by.
	Operations []string
	// Entries are the requests that are shown, newest first. Total is the number of all
	// requests since the journal was emptied, including those that the filter hides, Kept the
	// number of those that the journal still has.
	Entries     []Entry
	Total, Kept int64
	// Cleared changes each time that the journal is emptied.
	Cleared int64
	// Detail is the selected request; nil for none.
	Detail *Detail
}

// Entry is a request in the list.
type Entry struct {
	// Number counts the requests of a world from 1.
	Number              int64
	Time                time.Time
	Method, Path, Query string
	// Operation is the operationId, empty for none.
	Operation string
	// Status is 0 as long as there is no response, and when a fault drops the request.
	Status int
	// Waiting reports whether the response is still to come.
	Waiting  bool
	Duration time.Duration
	// Fault reports whether a rule hit the request.
	Fault bool
}

// Detail is a request with its response.
type Detail struct {
	Entry

	// RequestHeader and AnswerHeader are the headers in the form of HTTP, without keys.
	RequestHeader, AnswerHeader string
	// RequestBody and AnswerBody are the bodies, indented when they are JSON; a note
	// replaces a body that was not kept.
	RequestBody, AnswerBody string
	// Rule is the JSON of the rules that hit it; empty for none.
	Rule string
}

// TotalText formats the number of requests.
func (j Journal) TotalText() string {
	if j.Kept < j.Total {
		return count(j.Total, "request") + ", the newest " + grouped(j.Kept) + " are kept"
	}
	return count(j.Total, "request")
}

// count formats a number with a noun in singular or plural.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}

// grouped formats a number with separators between its thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Statuses are the statuses that the journal can be filtered by.
func (Journal) Statuses() []string { return []string{"2xx", "3xx", "4xx", "5xx", "429", "none"} }

// Class is the CSS class for the status.
func (e Entry) Class() string {
	switch {
	case e.Waiting:
		return "waiting"
	case e.Status == 0:
		return "none"
	}
	return "s" + strconv.Itoa(e.Status/100)
}

// Reason is the text for the status, or why there is none.
func (e Entry) Reason() string {
	switch {
	case e.Waiting:
		return "waiting"
	case e.Status == 0:
		return "no answer"
	}
	return http.StatusText(e.Status)
}

// StatusText is the status code with its text.
func (e Entry) StatusText() string {
	if e.Status == 0 {
		return e.Reason()
	}
	return strings.TrimSpace(strconv.Itoa(e.Status) + " " + e.Reason())
}

// PathParts are the path with its query, split where a line may break: after slashes and
// before parameters.
func (e Entry) PathParts() []string {
	path := e.Path
	if e.Query != "" {
		path += "?" + e.Query
	}

	var parts []string
	for at, start := 0, 0; at <= len(path); at++ {
		switch {
		case at == len(path), at > 0 && path[at-1] == '/', path[at] == '?', path[at] == '&':
			if at > start {
				parts = append(parts, path[start:at])
			}
			start = at
		}
	}
	return parts
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

// Row is a row of the journal's table.
type Row struct {
	Entry

	Journal Journal
}

// Rows are the rows of the table, newest first.
func (j Journal) Rows() []Row {
	rows := make([]Row, len(j.Entries))
	for i, entry := range j.Entries {
		rows[i] = Row{entry, j}
	}
	return rows
}

// HTML is the row of the table.
func (r Row) HTML() (string, error) {
	var b strings.Builder
	err := parsed.ExecuteTemplate(&b, "row", r)
	return b.String(), err
}

// Current reports whether the request is the selected one.
func (r Row) Current() bool {
	return r.Journal.Detail != nil && r.Journal.Detail.Number == r.Number
}

// Matches reports whether a request passes the filter.
func (j Journal) Matches(operation string, status int) bool {
	if j.Operation != "" && j.Operation != operation {
		return false
	}
	switch text := strconv.Itoa(status); {
	case j.Status == "":
		return true
	case j.Status == "none":
		return status == 0
	case strings.HasSuffix(j.Status, "xx"):
		return text[:1] == j.Status[:1] && status != 0
	default:
		return text == j.Status
	}
}
