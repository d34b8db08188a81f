package testserver

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// countHostedResponses adds up the responses of the selected surveys of a project, since
// the earliest start of any of its surveys. Archived ones count unless the request excludes
// them.
func (x *exchange) countHostedResponses() {
	st := x.server.store
	start, ok := st.firstStart(x.project.id)
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
		at, dated := parseMoment(rawjson.Unquote(r.at))
		if !dated {
			at = now
		}
		return ok && !at.Before(start) && (archivedToo || !r.archived) &&
			(named == nil || slices.Contains(named, r.survey.String()))
	})
}

// firstStart is the earliest start_date of all surveys of a project; not ok if none has
// one.
func (st *store) firstStart(project int64) (start time.Time, ok bool) {
	for _, s := range st.surveysByProject[project].items {
		at, started := parseMoment(s.text(surveyTable, "start_date"))
		if started && (!ok || at.Before(start)) {
			start, ok = at, true
		}
	}
	return start, ok
}

// countedResponses are the answers that count: of partial ones that belong to one
// submission, the latest for each survey.
func (st *store) countedResponses() []response {
	type submission struct {
		survey uuid.UUID
		id     string
	}

	latest := map[submission]int{}
	counted := make([]response, 0, len(st.responses))
	for _, r := range st.responses {
		key := submission{r.survey, r.submission}

		i, known := latest[key]
		switch {
		case r.submission == "":
			counted = append(counted, r)
		case !known:
			latest[key] = len(counted)
			counted = append(counted, r)
		case !r.before(counted[i]):
			counted[i] = r
		}
	}
	return counted
}

// before reports whether a response is earlier than another. One without a time counts as
// current.
func (r response) before(other response) bool {
	at, dated := parseMoment(rawjson.Unquote(r.at))
	than, otherDated := parseMoment(rawjson.Unquote(other.at))
	return dated && (!otherDated || at.Before(than))
}
