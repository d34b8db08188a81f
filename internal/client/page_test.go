package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listID is the ID of the survey whose name is a letter.
func listID(letter string) string { return surveyID[:len(surveyID)-1] + letter }

// respondPage responds with one page of surveys whose names are letters. It replaces SELF in next with the server's
// URL.
func respondPage(ids, next string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var results []string
		for id := range strings.FieldsSeq(ids) {
			results = append(results, fmt.Sprintf(`{"id":%q}`, listID(id)))
		}
		link := "null"
		if next != "" {
			link = fmt.Sprintf("%q", strings.ReplaceAll(next, "SELF", "http://"+r.Host))
		}
		respondJSON(200, fmt.Sprintf(`{"count":9,"next":%s,"previous":null,"results":[%s]}`, link, strings.Join(results, ",")))(w, r)
	}
}

const list = prefix + "/api/projects/1/surveys/"

func listed(t *testing.T, s *service, o ListOptions) (string, error) {
	t.Helper()
	all, err := collect(s.client().Surveys("1").List(t.Context(), o))
	var ids []string
	for _, survey := range all {
		ids = append(ids, strings.TrimPrefix(deref(survey.ID), listID("")))
	}
	return strings.Join(ids, " "), err
}

func TestListFollowsNext(t *testing.T) {
	t.Parallel()
	s := serve(t,
		respondPage("a b", "SELF"+list+"?limit=2&offset=2"),
		respondPage("c d", "?cursor=x%2Fy&limit=2"), // relative, and with a cursor
		respondPage("e", "SELF"+strings.TrimSuffix(list, "/")+"?limit=2&offset=6"),
		respondPage("", ""))
	ids, err := listed(t, s, ListOptions{PageSize: 2})
	require.NoError(t, err)
	assert.Equal(t, "a b c d e", ids)
	var queries []string
	for _, r := range s.requests() {
		assert.Equal(t, "/api/projects/1/surveys/", r.path)
		assert.Equal(t, "Bearer "+testKey, r.header.Get("Authorization"))
		queries = append(queries, r.query)
	}
	assert.Equal(t, []string{"limit=2", "limit=2&offset=2", "cursor=x%2Fy&limit=2", "limit=2&offset=6"}, queries)
}

// A list that is abandoned early requests no further page, and a list that is read twice starts again.
func TestListIsLazyAndRepeatable(t *testing.T) {
	t.Parallel()
	first := respondPage("a b", "SELF"+list+"?offset=2")
	s := serve(t, first, first, respondPage("c", ""))
	surveys := s.client().Surveys("1").List(t.Context(), ListOptions{})
	assert.Empty(t, s.requests())
	for survey, err := range surveys {
		require.NoError(t, err)
		require.Equal(t, listID("a"), deref(survey.ID))
		break
	}
	assert.Len(t, s.requests(), 1)
	all, err := collect(surveys)
	require.NoError(t, err)
	assert.Len(t, all, 3)
	assert.Len(t, s.requests(), 3)
}

func TestListRefusesNext(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct{ ids, next, want string }{
		"another host":       {"a", "http://evil.example" + list + "?offset=1", "link leaves the list"},
		"another port":       {"a", "http://127.0.0.1:1" + list + "?offset=1", "link leaves the list"},
		"another scheme":     {"a", "https://HOST" + list + "?offset=1", "link leaves the list"},
		"no authority":       {"a", "//evil.example" + list, "link leaves the list"},
		"user in it":         {"a", "http://evil@HOST" + list + "?offset=1", "link leaves the list"},
		"no http":            {"a", "javascript:alert(1)", "link leaves the list"},
		"another project":    {"a", "SELF" + prefix + "/api/projects/2/surveys/?offset=1", "link leaves the list"},
		"without the prefix": {"a", "SELF/api/projects/1/surveys/?offset=1", "link leaves the list"},
		"dots":               {"a", "SELF" + list + "../../../organizations/?offset=1", "link leaves the list"},
		"itself":             {"a", "SELF" + list + "?limit=1", "does not lead to a new page"},
		"empty page":         {"", "SELF" + list + "?limit=1&offset=1", "does not lead to a new page"},
		"no URL":             {"a", "http://[", "link leaves the list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				respondPage(c.ids, strings.ReplaceAll(c.next, "HOST", r.Host))(w, r)
			})
			ids, err := listed(t, s, ListOptions{PageSize: 1})

			var unusable *ResponseError
			require.ErrorAs(t, err, &unusable)
			assert.Contains(t, err.Error(), c.want)
			assert.Empty(t, ids, "a page with an invalid item must not return any IDs")
			assert.Len(t, s.requests(), 1)
		})
	}
}

// A loop of several pages also ends.
func TestListRefusesLoop(t *testing.T) {
	t.Parallel()
	s := serve(t, respondPage("a", "SELF"+list+"?offset=1"), respondPage("b", "SELF"+list+"?offset=2"), respondPage("c", "SELF"+list+"?offset=1"))
	ids, err := listed(t, s, ListOptions{})
	assert.ErrorContains(t, err, "does not lead to a new page")
	assert.Equal(t, "a b", ids)
}

// A response that isn't a page is an error, not an empty list.
func TestListNeedsAPage(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"status":"ok"}`:             "without results",
		`{"results":null}`:            "without results",
		`[]`:                          "JSON, but not in the format",
		`null`:                        "not the object",
		``:                            "empty",
		`{"results":[{"archived":3}]`: "cut off",
		`{"results":[{"id":3}]}`:      "JSON, but not in the format",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			_, err := listed(t, serve(t, respondJSON(200, body)), ListOptions{})
			assert.ErrorContains(t, err, want)
		})
	}
}

// An error on a later page follows the objects of earlier pages.
func TestListError(t *testing.T) {
	t.Parallel()
	s := serve(t, respondPage("a b", "SELF"+list+"?offset=2"), refuse(403, "authentication_error", "permission_denied", "API key missing required scope 'survey:read'"))
	ids, err := listed(t, s, ListOptions{})
	assert.Equal(t, "a b", ids)
	assert.True(t, IsForbidden(err))
}

// A service that returns new pages forever doesn't keep a run going forever. A page with only old objects is normal if
// others create objects while the list is read.
func TestListHasAnEnd(t *testing.T) {
	t.Parallel()
	offset := 0
	again := func(w http.ResponseWriter, r *http.Request) {
		offset++
		respondPage("a b", fmt.Sprintf("SELF%s?offset=%d", list, offset))(w, r)
	}
	s := serve(t, again, again, again, again)
	c := s.client()
	c.mostPages = 3
	var err error
	for _, err = range c.Surveys("1").List(t.Context(), ListOptions{}) {
	}
	assert.ErrorContains(t, err, "the list seems endless")
	assert.Len(t, s.requests(), 3)

	shifted := serve(t, respondPage("a", "SELF"+list+"?offset=1"), respondPage("a", "SELF"+list+"?offset=2"), respondPage("b", ""))
	ids, err := listed(t, shifted, ListOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a a b", ids)
}

// A survey whose ID isn't a UUID is refused, because the ID would become part of code, file names, and URLs.
func TestSurveyWithoutAUUIDIsRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"", "1", "/../../z", `x"\n}`, "{" + surveyID + "}", "urn:uuid:" + surveyID, strings.ReplaceAll(surveyID, "-", ""), surveyID + " ", surveyID + "/../x",
	} {
		quoted, err := json.Marshal(id)
		require.NoError(t, err)
		object := `{"id":` + string(quoted) + `}`

		_, err = serve(t, respondJSON(200, object)).client().Surveys("1").Retrieve(t.Context(), surveyID)
		assert.ErrorContains(t, err, "is not a UUID", id)
		_, err = collect(serve(t, respondJSON(200, `{"results":[`+object+`]}`)).client().Surveys("1").List(t.Context(), ListOptions{}))
		assert.ErrorContains(t, err, "is not a UUID", id)
		assert.False(t, IsSurveyID(id))
	}
	assert.True(t, IsSurveyID(surveyID))
	assert.True(t, IsSurveyID(strings.ToUpper(surveyID)))
}
