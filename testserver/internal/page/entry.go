package page

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Entry is a request in the list.
type Entry struct {
	// Number counts the requests of a world from 1.
	Number int64
	// Time is when it arrived, Clock the time of the server's clock then, which may be stopped.
	Time, Clock         time.Time
	Method, Path, Query string
	// Operation is the operationId, empty for none.
	Operation string
	// Events says which events of apps it has; empty for none.
	Events string
	// Status is 0 as long as there is no response, and when a fault drops the request.
	Status int
	// Waiting reports whether the response is still to come.
	Waiting  bool
	Duration time.Duration
	// Faults are the rules that hit the request, as they were set.
	Faults []string
	// Attr and Problem are the attribute and the text of an error.
	Attr, Problem string
}

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
		return "no response"
	}
	return http.StatusText(e.Status)
}

// Code is the status, or what stands for none in a narrow column.
func (e Entry) Code() string {
	switch {
	case e.Waiting:
		return "···"
	case e.Status == 0:
		return "none"
	}
	return strconv.Itoa(e.Status)
}

// Whole is the path with its query.
func (e Entry) Whole() string {
	if e.Query == "" {
		return e.Path
	}
	return e.Path + "?" + e.Query
}

// uuidForm matches an id in a path.
var uuidForm = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// Short is the path with its query, and of ids the last eight characters: the first ones of
// ids that were created at about the same time are equal.
func (e Entry) Short() string {
	return uuidForm.ReplaceAllStringFunc(e.Whole(), func(id string) string { return "…" + id[len(id)-8:] })
}

// FaultText are the rules that hit the request; empty for none.
func (e Entry) FaultText() string { return strings.Join(e.Faults, ", ") }

// ProblemText is the error in a line; empty for none.
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

// clockNote is what happened to the server's clock since the request before; empty for nothing.
func (e Entry) clockNote(before *Entry) string {
	stopped := !e.Clock.Equal(e.Time)
	switch {
	case stopped && (before == nil || !before.Clock.Equal(e.Clock)):
		return "clock: " + e.Clock.UTC().Format(time.DateTime)
	case !stopped && before != nil && !before.Clock.Equal(before.Time):
		return "clock: runs"
	}
	return ""
}
