package testserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// listed are surveys of every sort; the last is the newest.
const listed = `{"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"Onboarding feedback","type":"popover","created_at":"2026-01-01T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"NPS","description":"Asks after the onboarding","type":"widget","created_at":"2026-01-02T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000003","name":"Exit","type":"api","archived":true,"created_at":"2026-01-03T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000004","name":"Onboarding","type":"popover","archived":true,"created_at":"2026-01-04T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000005","name":"Größe & Preis","description":"user@example.com","type":"external_survey","created_at":"2026-01-05T00:00:00Z"}]}`

func TestHostedListFilters(t *testing.T) {
	t.Parallel()
	all := []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}

	for _, row := range []struct {
		name, query string
		want        []string
		match       string
	}{
		{"6 list order: newest first", "", all, ""},
		{"6 filters: archived ones are in by default", "x=1", all, ""},
		{"6 filters: archived", "archived=true", []string{"Onboarding", "Exit"}, ""},
		{"6 filters: archived, another word", "archived=1", []string{"Onboarding", "Exit"}, ""},
		{"6 filters: not archived", "archived=False", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
		{"6 filters: archived, no truth value", "archived=maybe", all, ""},
		{"6 filters: archived, the last counts", "archived=true&archived=false", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
		{"6 filters: type", "type=popover", []string{"Onboarding", "Onboarding feedback"}, ""},
		{"6 filters: type blank", "type=", all, ""},
		{"6 filters: ids", "ids=019b0000-0000-7000-8000-000000000001,019B0000-0000-7000-8000-000000000003", []string{"Exit", "Onboarding feedback"}, ""},
		{"6 filters: ids that are not there", "ids=019b0000-0000-7000-8000-000000000099, 019b0000-0000-7000-8000-000000000003,", []string{"Exit"}, ""},
		{"6 filters: ids, none of them there", "ids=019b0000-0000-7000-8000-000000000099", []string{}, ""},
		{"6 filters: ids blank", "ids=", all, ""},
		{"6 filters: together", "type=popover&archived=true", []string{"Onboarding"}, ""},
		{"6 filters: search in the name", "search=exit", []string{"Exit"}, "exact"},
		{"6 filters: search in the description, newest first", "search=onboarding", []string{"Onboarding", "NPS", "Onboarding feedback"}, "exact"},
		{"6 filters: search in another case", "search=GRÖß", []string{"Größe & Preis"}, "exact"},
		{"6 filters: search for what is no word", "search=user@example", []string{"Größe & Preis"}, "exact"},
		{"6 filters: search without a match", "search=zzz", []string{}, ""},
		{"6 filters: search blank", "search=%20%20", all, ""},
		{"6 filters: search empty", "search=", all, ""},
		{"6 filters: search, exact hits hide similar ones", "search=onboarding feedback", []string{"Onboarding feedback"}, "exact"},
		{"6 filters: search of 200 characters", "search=" + strings.Repeat("ä", 200), []string{}, ""},
		{"1 field search_match_type: absent without a search", "archived=false", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, listed)

			query := strings.ReplaceAll(row.query, " ", "+")
			a := c.get(surveys + "?" + query).is(http.StatusOK)
			assert.Equal(t, row.want, a.names())
			assert.Equal(t, len(row.want), a.page().Count)

			for _, s := range a.results() {
				if row.match == "" {
					assert.NotContains(t, s, "search_match_type")
				} else {
					assert.Equal(t, row.match, s["search_match_type"])
				}
			}
		})
	}
}

func TestHostedListRefuses(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, listed)
	for _, row := range []struct{ name, query, code, attr, detail string }{
		{"row 55 search longer than 200", "search=" + strings.Repeat("ä", 201), "invalid_input", "search", "Search query must be 200 characters or fewer."},
		{"row 55 search longer than 200: before the rest", "ids=x&search=" + strings.Repeat("x", 201), "invalid_input", "search", "Search query must be 200 characters or fewer."},
		{"6 filters: type unknown", "type=full_screen", "invalid_choice", "type", "Select a valid choice. full_screen is not one of the available choices."},
		{"6 filters: ids no UUID", "ids=019b0000-0000-7000-8000-000000000001,x", "invalid_input", "ids", "Enter a valid UUID."},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			c.get(surveys+"?"+row.query).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		})
	}
}

func TestHostedPages(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, listed)
	base := srv.URL + surveys

	for _, row := range []struct {
		name, query    string
		names          []string
		next, previous string
	}{
		{"6 paging: limit and offset", "limit=2&offset=1", []string{"Onboarding", "Exit"}, base + "?limit=2&offset=3", base + "?limit=2"},
		{"6 paging: limit 0", "limit=0", []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}, "null", "null"},
		{"6 paging: limit and offset no numbers", "limit=x&offset=-1", []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}, "null", "null"},
		{"6 paging: past the end", "limit=2&offset=9", []string{}, "null", base + "?limit=2&offset=7"},
		{"6 paging: filters stay in the links, sorted", "type=popover&limit=1&archived=true", []string{"Onboarding"}, "null", "null"},
		{"6 paging: next of a filter", "type=popover&limit=1", []string{"Onboarding"}, base + "?limit=1&offset=1&type=popover", "null"},
		{"6 paging: next of a search", "search=onboarding&offset=1&limit=1", []string{"NPS"}, base + "?limit=1&offset=2&search=onboarding", base + "?limit=1&search=onboarding"},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			a := c.get(surveys + "?" + row.query)
			p := a.page()
			assert.Equal(t, row.names, a.names())
			assert.Equal(t, row.next, link(p.Next))
			assert.Equal(t, row.previous, link(p.Previous))
		})
	}

	t.Run("6 paging: 100 unless told, and no maximum", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, "{}")
		for i := range 120 {
			srv.CreateSurvey(map[string]any{"name": strings.Repeat("n", i+1), "type": "api"})
		}

		assert.Len(t, c.get(surveys).names(), 100)
		assert.Len(t, c.get(surveys+"?limit=5000").names(), 120)
	})
}

const counted = `{"clock":"2026-03-01T00:00:00Z","projects":[{"id":1},{"id":2}],"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"Draft","type":"api"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"First","type":"api","start_date":"2026-02-01T12:00:00+01:00"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000003","name":"Second","type":"api","start_date":"2026-02-10T00:00:00Z","archived":true},
{"project_id":2,"id":"019b0000-0000-7000-8000-000000000004","name":"Never started","type":"api"}],
"responses":[
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":3,"at":"2026-02-01T11:00:00Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":5,"at":"2026-02-01T10:59:59Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":2,"at":null},
{"survey_id":"019b0000-0000-7000-8000-000000000003","count":4,"at":"2026-02-05T00:00:00Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000003","count":1,"at":"2026-02-11T00:00:00Z","archived":true},
{"survey_id":"019b0000-0000-7000-8000-000000000001","count":0},
{"survey_id":"019b0000-0000-7000-8000-000000000009","project_id":1,"count":7},
{"survey_id":"019b0000-0000-7000-8000-000000000004","count":8}]}`

func TestHostedResponsesCount(t *testing.T) {
	t.Parallel()
	const one, two, gone = "019b0000-0000-7000-8000-000000000002", "019b0000-0000-7000-8000-000000000003", "019b0000-0000-7000-8000-000000000009"

	for _, row := range []struct{ name, path, want string }{
		{"0 responses_count: a flat map, since the first start, deleted ones too", surveys + "responses_count/", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: by id", surveys + "responses_count", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: no survey has started", "/api/projects/2/surveys/responses_count/", `{}`},
		{"4 responses_count: survey_ids", surveys + "responses_count/?survey_ids=" + url.QueryEscape(" "+one+" ,, nothing"), `{"` + one + `":5}`},
		{"4 responses_count: survey_ids empty", surveys + "responses_count/?survey_ids=" + url.QueryEscape(" , "), `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: exclude_archived", surveys + "responses_count/?exclude_archived=True", `{"` + one + `":5,"` + two + `":4,"` + gone + `":7}`},
		{"4 responses_count: exclude_archived otherwise", surveys + "responses_count/?exclude_archived=1", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: not paginated", surveys + "responses_count/?limit=1&offset=1", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, counted)
			assert.Equal(t, row.want, c.get(row.path).is(http.StatusOK).body)

			dump := srv.Dump()
			assert.Equal(t, 1, strings.Count(dump, `"archived":true}`))
			srv.SetFixtures(dump)
			assert.Equal(t, row.want, c.get(row.path).is(http.StatusOK).body)
		})
	}
}
