package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// popover returns a running survey for every person who meets the conditions.
func popover(name string, conditions any) testserver.Object {
	return testserver.Object{"name": name, "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{map[string]any{"type": "open", "question": "Why?"}}, "conditions": conditions}
}

// If a survey makes posthog-js throw an error, pages show no survey. SurveyPeople, Offers, and the report
// show this, but not for a survey with its own page.
func TestOfferOfHiddenSurveys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	shown := srv.CreateSurvey(popover("Shown", nil))["id"].(string)
	hosted := srv.CreateSurvey(testserver.Object{"name": "Hosted", "type": "external_survey", "start_date": "2026-01-01T00:00:00Z"})["id"].(string)
	hiding := srv.CreateSurvey(popover("Hiding", map[string]any{"url": "/a", "selector": "##"}))["id"].(string)

	const why = `selector is "##", which is not a CSS selector: "#" is not allowed there. posthog-js throws an error, and then shows no survey of the project`
	people := srv.SurveyPeople(shown, "ann")
	assert.True(t, people[0].Offered, "the survey must be offered on other pages")
	assert.Equal(t, []string{`the page does not match survey "Hiding", which hides it: ` + why}, people[0].InTheApp)
	assert.Equal(t, []string{"conditions: " + why}, srv.SurveyPeople(hiding, "ann")[0].Reasons)

	offers := func(url string) map[string][]string {
		found, err := srv.Offers("1", testserver.Visit{DistinctID: "ann", URL: url, Device: "Desktop"})
		require.NoError(t, err)
		reasons := map[string][]string{}
		for _, offer := range found {
			reasons[offer.Name] = offer.Reasons
		}
		return reasons
	}
	assert.Empty(t, offers("https://x/b")["Shown"])
	assert.Equal(t, []string{`survey "Hiding" hides it: ` + why}, offers("https://x/a")["Shown"])

	srv.PatchSurvey(hiding, testserver.Object{"conditions": map[string]any{"url": 5}})
	assert.Equal(t, []string{`other surveys: survey "Hiding" hides it: url is 5, not a text. posthog-js throws an error, and then shows no survey of the project`},
		srv.SurveyPeople(shown, "ann")[0].Reasons)
	assert.Equal(t, []string{"type: an external_survey is shown only on its own page"}, srv.SurveyPeople(hosted, "ann")[0].Reasons)

	assert.Empty(t, srv.Report().HidesAll, "the report must be empty before an app requests surveys")
	app(t, srv).get("/array/phc_test/config").is(http.StatusOK)
	report := srv.Report()
	want := testserver.HidesAll{SurveyID: hiding, SurveyName: "Hiding", Reason: "conditions.url is 5, not a text. posthog-js throws an error, and then shows no survey of the project"}
	assert.Equal(t, []testserver.HidesAll{want}, report.HidesAll)
	assert.Equal(t, 1, report.Findings())
	assert.Contains(t, report.String(), "surveys that hide all surveys: 1\n  \"Hiding\" ("+hiding+"): "+want.Reason)

	srv.PatchSurvey(hiding, testserver.Object{"end_date": "2026-01-02T00:00:00Z"})
	assert.True(t, srv.SurveyPeople(shown, "ann")[0].Offered)
	assert.Empty(t, srv.SurveyPeople(shown, "ann")[0].InTheApp)
}

// randomConditions returns conditions on a page, including unusual values.
func randomConditions() *rapid.Generator[map[string]any] {
	return rapid.Custom(func(rt *rapid.T) map[string]any {
		conditions := map[string]any{}
		set := func(name string, isLikely bool, sound, odd []any) {
			if !isLikely && rapid.Bool().Draw(rt, name+" is left out") {
				return
			}
			values := sound
			if rapid.IntRange(0, 19).Draw(rt, name+" is odd") == 0 {
				values = odd
			}
			conditions[name] = rapid.SampledFrom(values).Draw(rt, name)
		}
		matches := []any{"regex", "not_regex", "exact", "is_not", "icontains", "not_icontains", nil}
		oddMatches := []any{"contains", "", 5, true, "gt", "lt", []any{"exact"}, "Exact"}
		set("url", false, []any{"/shop", "/SHOP", "/blog", "", "shop|blog", "^(?!.*shop)", "/shop ", "/sh*", "HTTP://LOCALHOST/"}, []any{5, 0, false, true, []any{"/shop"}, []any{}, map[string]any{"a": 1}, "("})
		set("urlMatchType", false, matches, oddMatches)
		set("deviceTypes", false, []any{[]any{"Desktop"}, []any{"Mobile"}, []any{"Mobile", "Tablet"}, []any{}, []any{"desk"}, nil}, []any{"Desktop", 5, []any{5}, []any{nil, "Mobile"}, map[string]any{}, true, ""})
		set("deviceTypesMatchType", false, matches, oddMatches)
		set("selector", false, []any{"#elsewhere", nil, ""}, []any{"##", "[data-id=5]", 5, "button:contains('Buy')", ".sm:flex", "//a"})
		return conditions
	})
}

// combination contains the conditions of some surveys, the feed for SDKs, and the surveys that must be shown.
type combination struct {
	Feed    []json.RawMessage `json:"feed"`
	wanted  []string
	surveys []testserver.Object
	// hidden are the surveys that, according to the server, no one sees on any page.
	hidden []string
}

// For each combination of conditions, posthog-js shows the surveys that Offers and SurveyPeople predict.
func TestHiddenSurveysInABrowser(t *testing.T) {
	t.Parallel()
	number := 500
	if testing.Short() {
		number = 100
	}
	browser := browsertest.Start(t)
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	document, err := os.ReadFile("testdata/offers.html")
	require.NoError(t, err)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.ReplaceAll(string(document), "SERVER", srv.URL)))
	}))
	t.Cleanup(host.Close)

	ids := make([]string, 3)
	for i := range ids {
		ids[i] = srv.CreateSurvey(popover(fmt.Sprint(i), nil))["id"].(string)
	}
	combinations := make([]combination, number)
	for seed := range combinations {
		combinations[seed] = combine(t, srv, ids, host.URL+"/shop/cart", seed)
	}

	page := browser.Open(t, host.URL+"/shop/cart", browsertest.View{})
	input, err := json.Marshal(combinations)
	require.NoError(t, err)
	var shown [][]string
	page.Evaluate(t, "offeredOf("+string(input)+")", &shown)
	require.Len(t, shown, number)
	count := 0
	for i, c := range combinations {
		assert.Equal(t, c.wanted, shown[i], "combination %d: %v", i, c.surveys)
		for _, id := range c.hidden {
			assert.NotContains(t, shown[i], id, "combination %d: surveys of a person: %v", i, c.surveys)
		}
		count += len(shown[i])
	}
	assert.Greater(t, count, number/5)
	t.Logf("%d of %d surveys are shown", count, number*len(ids))
}

// combine sets random conditions in each survey.
func combine(t *testing.T, srv *testserver.Instance, ids []string, url string, seed int) combination {
	t.Helper()
	c := combination{wanted: []string{}}
	for i, id := range ids {
		c.surveys = append(c.surveys, srv.PatchSurvey(id, testserver.Object{"conditions": randomConditions().Example(seed*len(ids) + i)})["conditions"].(testserver.Object))
	}
	for _, survey := range app(t, srv).feed("phc_test") {
		raw, err := json.Marshal(survey)
		require.NoError(t, err)
		c.Feed = append(c.Feed, raw)
	}
	offers, err := srv.Offers("1", testserver.Visit{DistinctID: "ann", URL: url, Device: "Desktop"})
	require.NoError(t, err)
	for _, offer := range offers {
		if len(offer.Reasons) == 0 {
			c.wanted = append(c.wanted, offer.ID)
		}
		if !srv.SurveyPeople(offer.ID, "ann")[0].Offered {
			c.hidden = append(c.hidden, offer.ID)
		}
	}
	slices.Sort(c.wanted)
	return c
}
