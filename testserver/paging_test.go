package testserver_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// page is the envelope of a list.
type page struct {
	Count          int
	Next, Previous *string
	Results        []struct{ Name string }
}

func (a answer) page() page {
	a.t.Helper()
	var p page
	require.NoError(a.t, json.Unmarshal([]byte(a.is(http.StatusOK).body), &p))
	return p
}

func link(p *string) string {
	if p == nil {
		return "null"
	}
	return *p
}

func TestPages(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: many(250)})
	c := call(t, srv)
	base := srv.URL + surveys

	for query, want := range map[string]struct {
		count          int
		first          string
		next, previous string
	}{
		"":                     {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?offset=100":          {100, "Survey 149", "?limit=100&offset=200", "?limit=100"},
		"?offset=200":          {50, "Survey 49", "null", "?limit=100&offset=100"},
		"?offset=150":          {100, "Survey 99", "null", "?limit=100&offset=50"},
		"?offset=20&limit=50":  {50, "Survey 229", "?limit=50&offset=70", "?limit=50"},
		"?limit=250":           {250, "Survey 249", "null", "null"},
		"?limit=1000":          {250, "Survey 249", "null", "null"},
		"?limit=1&offset=249":  {1, "Survey 0", "null", "?limit=1&offset=248"},
		"?offset=250":          {0, "", "null", "?limit=100&offset=150"},
		"?offset=1000":         {0, "", "null", "?limit=100&offset=900"},
		"?limit=0":             {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?limit=-5":            {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?limit=ten":           {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?offset=-5":           {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?offset=x":            {100, "Survey 249", "?limit=100&offset=100", "null"},
		"?z=1&limit=100&a=b+c": {100, "Survey 249", "?a=b+c&limit=100&offset=100&z=1", "null"},
		"?search=249":          {100, "Survey 249", "?limit=100&offset=100&search=249", "null"},
		"?limit=5&limit=200":   {200, "Survey 249", "?limit=200&offset=200", "null"},
		"?limit=9223372036854775807&offset=9223372036854775807": {0, "", "null", "?limit=9223372036854775807"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c := c
			c.t = t

			p := c.get(surveys + query).page()
			assert.Equal(t, 250, p.Count)
			require.Len(t, p.Results, want.count)

			if want.count > 0 {
				assert.Equal(t, want.first, p.Results[0].Name)
			}

			assert.Equal(t, strings.Replace(want.next, "?", base+"?", 1), link(p.Next))
			assert.Equal(t, strings.Replace(want.previous, "?", base+"?", 1), link(p.Previous))
		})
	}
}

// Following next visits every object once, newest first, even below a mount point.
func TestFollowingNextBehindAMountPoint(t *testing.T) {
	t.Parallel()
	server := serveMany(t, 25)
	listener := httptest.NewServer(http.StripPrefix("/posthog/eu", server))
	t.Cleanup(listener.Close)
	c := call(t, &testserver.Instance{URL: "", APIKey: testserver.DefaultAPIKey})
	next := listener.URL + "/posthog/eu" + surveys + "?limit=10"
	var names []string
	for next != "null" {
		p := c.get(next).page()
		for _, s := range p.Results {
			names = append(names, s.Name)
		}
		next = link(p.Next)
	}
	require.Len(t, names, 25)
	for i, name := range names {
		assert.Equal(t, fmt.Sprintf("Survey %d", 24-i), name)
	}
	assert.Equal(t, surveys, server.Journal()[0].Path)
}

func TestListsAreNewestFirst(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	for _, name := range []string{"one", "two", "three"} {
		c.newSurvey(`{"name":"` + name + `","type":"api"}`)
		c.post(apps, `{"name":"`+name+`"}`).is(http.StatusCreated)
	}
	// The creation time of a survey determines its position, not the order in which the server added it.
	srv.CreateSurvey(testserver.Object{"name": "old", "type": "api", "created_at": "2020-01-01T00:00:00Z"})
	srv.CreateSurvey(testserver.Object{"name": "future", "type": "api", "created_at": "2030-01-01T00:00:00+01:00"})
	assert.Equal(t, []string{"future", "three", "two", "one", "old"}, c.get(surveys).names())
	assert.Equal(t, []string{"three", "two", "one"}, c.get(apps).names())
	// An update does not change the order.
	c.patch(apps+"1/", `{"tag":"x"}`).is(http.StatusOK)
	srv.PatchSurvey(srv.Surveys("1")[3]["id"].(string), testserver.Object{"archived": true})
	assert.Equal(t, []string{"future", "three", "two", "one", "old"}, c.get(surveys).names())
	assert.Equal(t, []string{"three", "two", "one"}, c.get(apps).names())
}

// The cost of a page depends only on its contents, not on the number of surveys or the position of the page.
// The test counts allocations, which do not depend on the load of the machine.
//
//nolint:paralleltest // what others allocate meanwhile would be counted too
func TestPagesCostWhatIsInThem(t *testing.T) {
	small, large := serveMany(t, 1_000), serveMany(t, 10_000)
	for _, same := range [][2]string{
		{"?limit=10", "?limit=10"},
		{"?limit=10&offset=500", "?limit=10&offset=9000"},
		{"?limit=100&offset=500", "?limit=100&offset=9000"},
		{surveyID(1) + "/", surveyID(9_000) + "/"},
	} {
		count, bytes := allocations(t, small, surveys+same[0])
		countLarge, bytesLarge := allocations(t, large, surveys+same[1])
		// With ten times the surveys, a cost that grows with their number would far exceed these bounds.
		assert.InDelta(t, count, countLarge, 500, same[1])
		assert.Less(t, bytesLarge, 1.5*bytes+2_000, same[1])
	}
	for _, limit := range []int{1, 100, 1_000} {
		path := fmt.Sprintf("%s?limit=%d&offset=5000", surveys, limit)
		_, bytes := allocations(t, large, path)
		assert.Less(t, bytes, 20_000+8*2_500*float64(limit), path)
	}
}

// allocations returns the cost of one request in allocations and bytes. It returns the minimum of many runs,
// because the race detector empties pools at random.
func allocations(t *testing.T, server *testserver.Server, path string) (count, bytes float64) {
	t.Helper()
	const runs = 40
	var before, after runtime.MemStats
	count, bytes = math.Inf(1), math.Inf(1)
	for range runs {
		runtime.ReadMemStats(&before)
		get(t, server, path)
		runtime.ReadMemStats(&after)
		count = min(count, float64(after.Mallocs-before.Mallocs))
		bytes = min(bytes, float64(after.TotalAlloc-before.TotalAlloc))
	}
	return count, bytes
}

// The response contains the current survey, no matter what changed any part of it.
func TestRetrieveAfterChange(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		c := call(t, srv)
		id := c.post(surveys, `{"name":"S","type":"api","linked_flag_id":1}`).is(http.StatusCreated).object()["id"].(string)
		path := surveys + id + "/"

		before := c.get(path).is(http.StatusOK).body
		for _, step := range []struct {
			name   string
			change func()
		}{
			{"an update", func() { c.patch(path, `{"description":"D"}`).is(http.StatusOK) }},
			{"an edit on the server", func() { srv.PatchSurvey(id, testserver.Object{"name": "T"}) }},
			{"a fault that edits first", func() {
				srv.SetFaults(testserver.Fault{Operation: "surveys_retrieve", To: 1, Edit: testserver.Object{"description": "E"}})
			}},
			{"a deleted flag", func() { srv.DeleteFlag(1) }},
			{"other contents", func() {
				srv.SetFixtures(fmt.Sprintf(`{"surveys":[{"id":%q,"project_id":1,"name":"U","type":"api"}]}`, id))
			}},
			{"a reset", func() { srv.Reset(); c.post(surveys, `{"name":"V","type":"api"}`).is(http.StatusCreated) }},
		} {
			assert.Equal(t, before, c.get(path).is(http.StatusOK).body, "%s, %s: the page must not change before this step", profile, step.name)
			step.change()
			if step.name == "a reset" {
				c.get(path).is(http.StatusNotFound)
				continue
			}
			after := c.get(path).is(http.StatusOK).body
			assert.NotEqual(t, before, after, "%s, %s: the page must change", profile, step.name)
			before = after
		}
	}
}

// A fault changes only the response to which it applies.
func TestRetrieveAfterFault(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	id := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated).object()["id"].(string)
	path := surveys + id + "/"

	plain := c.get(path).is(http.StatusOK).body
	srv.SetFaults(testserver.Fault{ReorderKeys: true, EmptyForNull: true})
	reordered := c.get(path).is(http.StatusOK).body
	srv.SetFaults()
	assert.NotEqual(t, plain, reordered)
	assert.Equal(t, plain, c.get(path).is(http.StatusOK).body)

	journal := srv.Journal()
	for i, want := range []string{plain, reordered, plain} {
		assert.Equal(t, want, string(journal[i+1].Answer.Body), i)
	}
}
