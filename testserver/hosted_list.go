package testserver

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// maxSearch is the length of a search in characters.
const maxSearch = 200

// surveyFilter are the filters of a list request; the zero value selects everything.
type surveyFilter struct {
	search   string
	archived *bool
	kind     string
	// ids are nil when there is no filter by id.
	ids []uuid.UUID
	// author and status are used if the organization has [FeatureListFilters].
	author int64
	status string
}

// listSurveys responds with a page of the selected surveys, newest first.
func (hostedProfile) listSurveys(x *exchange, page window) (response, *field.Failure) {
	filter, f := x.readFilter()
	if f != nil {
		return response{}, f
	}

	keys := x.profile.traits().surveyReadKeys
	if filter.search != "" {
		keys = append(slices.Clone(keys), newKey("search_match_type", func(b []byte, _ encoding, _ *store.Survey) []byte {
			return append(b, `"exact"`...)
		}))
	}
	kept := &store.Timeline[*store.Survey]{}
	for _, s := range x.store.SurveysOf(x.project.ID).Items {
		if filter.keeps(s) {
			kept.Items = append(kept.Items, s)
		}
	}
	return x.withSurveys(page, kept, keys)
}

// finds reports whether the filters of a list include a survey: they also apply to
// a request with its id.
func (hostedProfile) finds(x *exchange, s *store.Survey) (bool, *field.Failure) {
	filter, f := x.readFilter()
	return f == nil && filter.keeps(s), f
}

// readFilter reads the filters of a request.
func (x *exchange) readFilter() (surveyFilter, *field.Failure) {
	query := x.request.URL.Query()
	filter, f := readFilter(query)
	if f != nil || !x.organization.Has(FeatureListFilters) {
		return filter, f
	}
	if author := last(query["created_by"]); author != "" {
		id, err := strconv.ParseInt(author, 10, 64)
		if err != nil {
			return filter, field.Invalid("invalid_input", "created_by", "Enter a number.")
		}
		filter.author = id
	}
	filter.status = last(query["status"])
	if !slices.Contains([]string{"", "draft", "running", "complete"}, filter.status) {
		return filter, field.Invalid("invalid_choice", "status",
			"Select a valid choice. "+filter.status+" is not one of the available choices.")
	}
	return filter, nil
}

// readFilter reads the query of a list request. It ignores unknown parameters and invalid
// booleans.
func readFilter(query url.Values) (surveyFilter, *field.Failure) {
	filter := surveyFilter{search: last(query["search"]), kind: last(query["type"])}
	if utf8.RuneCountInString(filter.search) > maxSearch {
		return filter, field.Invalid("invalid_input", "search", fmt.Sprintf("Search query must be %d characters or fewer.", maxSearch))
	}

	// Unknown values are ignored.
	filter.search = strings.TrimSpace(strings.ReplaceAll(filter.search, "\x00", ""))
	switch strings.ToLower(last(query["archived"])) {
	case "true", "1":
		filter.archived = new(true)
	case "false", "0":
		filter.archived = new(false)
	}

	if filter.kind != "" && !api.SurveyType(filter.kind).Valid() {
		return filter, field.Invalid("invalid_choice", "type",
			"Select a valid choice. "+filter.kind+" is not one of the available choices.")
	}

	if last(query["ids"]) != "" {
		filter.ids = []uuid.UUID{}
	}
	for part := range strings.SplitSeq(last(query["ids"]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}

		id, err := uuid.Parse(part)
		if err != nil {
			return filter, field.Invalid("invalid_input", "ids", "Enter a valid UUID.")
		}
		filter.ids = append(filter.ids, id)
	}
	return filter, nil
}

// last is the last value of a parameter, which counts.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// keeps reports whether a survey passes the filters.
func (f surveyFilter) keeps(s *store.Survey) bool {
	return (f.archived == nil || *f.archived == s.IsTrue(store.SurveyTable, "archived")) &&
		(f.kind == "" || f.kind == s.Text(store.SurveyTable, "type")) &&
		(f.ids == nil || slices.Contains(f.ids, s.ID)) &&
		(f.author == 0 || f.author == s.Author) &&
		(f.status == "" || f.status == hostedStatus(s)) &&
		(mentions(s.Name, f.search) || mentions(s.Text(store.SurveyTable, "description"), f.search))
}

// mentions reports whether a text has a part, in any case of the letters. The service also finds
// what is similar, where nothing has the part.
func mentions(s, part string) bool {
	return strings.Contains(strings.ToUpper(s), strings.ToUpper(part))
}

// hostedStatus is the status of a survey, which depends on the dates that are set.
func hostedStatus(s *store.Survey) string {
	switch {
	case !s.IsNull(store.SurveyTable, "end_date"):
		return "complete"
	case !s.IsNull(store.SurveyTable, "start_date"):
		return "running"
	}
	return "draft"
}
