package page

import (
	"strconv"
	"strings"
)

// JournalLength is the maximum number of requests on the page.
const JournalLength = 100

// Journal is a part of the journal: the newest requests, or those before one of them.
type Journal struct {
	// Page is the page that it is part of, for addresses.
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
	// Cleared changes each time that the journal is emptied.
	Cleared int64
	// Detail is the selected request; nil for none.
	Detail *Detail
}

// IsFiltered reports whether the filter may hide requests.
func (j Journal) IsFiltered() bool { return j.Filter != Filter{} }

// View changes when the list is about other requests.
func (j Journal) View() string {
	return string(j.Address("request", "", "survey", "", "app", "", "tab", "", "search", "", "status", ""))
}

// Oldest is the number of the oldest request that is shown.
func (j Journal) Oldest() int64 {
	if len(j.Entries) == 0 {
		return 0
	}
	return j.Entries[len(j.Entries)-1].Number
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

// Row is a row of the list.
type Row struct {
	Entry

	Journal Journal
	// ClockNote is what happened to the server's clock before the request; empty for nothing.
	ClockNote string
}

// Rows are the rows of the list, newest first.
func (j Journal) Rows() []Row {
	rows := make([]Row, len(j.Entries))
	for i, entry := range j.Entries {
		rows[i] = Row{Entry: entry, Journal: j}
		var before *Entry
		if i+1 < len(j.Entries) {
			before = &j.Entries[i+1]
		}
		rows[i].ClockNote = entry.clockNote(before)
	}
	return rows
}

// HTML is the row of the list.
func (r Row) HTML() (string, error) {
	var b strings.Builder
	err := parsed.ExecuteTemplate(&b, "row", r)
	return b.String(), err
}

// Current reports whether the request is the selected one.
func (r Row) Current() bool {
	return r.Journal.Detail != nil && r.Journal.Detail.Number == r.Number
}
