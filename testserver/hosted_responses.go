package testserver

import (
	"slices"
	"strings"
	"time"
)

// countHostedResponses adds up the answers of a project's surveys: those since the
// first of all its surveys began, of the surveys that the request names. Archived
// ones count unless the request says otherwise.
func (x *exchange) countHostedResponses() {
	st := x.server.store
	began, ok := st.firstStart(x.project.id)
	query := x.request.URL.Query()
	var named []string
	for id := range strings.SplitSeq(last(query["survey_ids"]), ",") {
		if id = strings.TrimSpace(id); id != "" {
			named = append(named, id)
		}
	}
	archivedToo := !strings.EqualFold(last(query["exclude_archived"]), "true")
	now := x.server.time(st)
	x.replyResponses(func(r response) bool {
		at, dated := parseMoment(unquote(r.at))
		if !dated {
			at = now
		}
		return ok && !at.Before(began) && (archivedToo || !r.archived) &&
			(named == nil || slices.Contains(named, r.survey.String()))
	})
}

// firstStart is the earliest start_date of all surveys of a project; not ok when none
// was ever started.
func (st *store) firstStart(project int64) (began time.Time, ok bool) {
	for _, s := range st.shelves[project].items {
		at, started := parseMoment(s.text(surveyTable, "start_date"))
		if started && (!ok || at.Before(began)) {
			began, ok = at, true
		}
	}
	return began, ok
}
