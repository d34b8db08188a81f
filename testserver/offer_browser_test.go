package testserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The numbers of surveys in one app, and of visitors for each of them.
const (
	surveysPerApp  = 20
	visitorsPerApp = 6
)

// visitor is a person who opens a page of the app.
type visitor struct {
	DistinctID string            `json:"distinct_id"`
	Storage    map[string]string `json:"storage"`
	Events     []string          `json:"events"`
	Company    string            `json:"company,omitempty"`
	Size       int               `json:"size"`
	Override   map[string]any    `json:"person_properties,omitempty"`
	// stored are the properties that the server knows. answered and seen are the positions of the surveys that
	// the person has answered, and that the browser has shown.
	stored         map[string]any
	answered, seen []int
	// daysAgo is the number of days since the browser last showed a survey. 0 means never.
	daysAgo float64
}

// randomApp contains random surveys, as API requests, and random visitors.
type randomApp struct {
	surveys  []map[string]any
	visitors []visitor
}

// some draws one of the values, or none.
func some[T any](rt *rapid.T, label string, values ...T) (value T, ok bool) {
	i := rapid.IntRange(-1, len(values)-1).Draw(rt, label)
	if i < 0 {
		return value, false
	}
	return values[i], true
}

func randomProperty(rt *rapid.T) map[string]any {
	property := rapid.SampledFrom([]map[string]any{
		{"key": "plan", "operator": "exact", "value": []string{"pro", "team"}}, {"key": "plan", "operator": "is_not", "value": []string{"pro"}},
		{"key": "plan", "operator": "is_set", "value": "is_set"}, {"key": "plan", "operator": "is_not_set", "value": "is_not_set"},
		{"key": "age", "operator": "gt", "value": "30"}, {"key": "age", "operator": "lte", "value": "30"},
		{"key": "email", "operator": "icontains", "value": "@EXAMPLE."}, {"key": "email", "operator": "regex", "value": `^[a-m].*(?=@)`},
		{"key": "joined", "operator": "is_date_after", "value": "-30d"}, {"key": "joined", "operator": "is_date_before", "value": "2025-01-01"},
	}).Draw(rt, "property")
	own := maps.Clone(property)
	own["type"] = "person"
	return own
}

func randomFilters(rt *rapid.T) map[string]any {
	var groups []map[string]any
	for range rapid.IntRange(1, 2).Draw(rt, "groups") {
		properties := rapid.SliceOfN(rapid.Custom(randomProperty), 1, 2).Draw(rt, "properties")
		groups = append(groups, map[string]any{"properties": properties, "rollout_percentage": rapid.SampledFrom([]int{100, 100, 40}).Draw(rt, "rollout")})
	}
	return map[string]any{"groups": groups}
}

func randomSurvey(rt *rapid.T) map[string]any {
	conditions := map[string]any{}
	set := func(name string, values ...any) {
		if value, ok := some(rt, name, values...); ok {
			conditions[name] = value
		}
	}
	survey := map[string]any{"type": rapid.SampledFrom([]string{"popover", "popover", "widget", "api", "external_survey"}).Draw(rt, "type"),
		"questions": []map[string]any{{"type": "open", "question": "Why?"}}}
	if survey["type"] == "external_survey" {
		return survey // PostHog refuses the following fields for an external survey
	}

	if rapid.IntRange(0, 2).Draw(rt, "targeted") > 0 {
		survey["targeting_flag_filters"] = randomFilters(rt)
	}
	if id, ok := some(rt, "linked", 5, 6); ok {
		survey["linked_flag_id"] = id
		if id == 5 { // flag 6 has no variants
			set("linkedFlagVariant", "red", "blue", "any")
		}
	}
	switch rapid.IntRange(0, 5).Draw(rt, "conditions") {
	case 0:
		set("url", "/SHOP", "/blog")
		set("urlMatchType", "icontains", "not_icontains")
	case 1:
		set("url", `^http://[^/]+/(?!blog)\w+`, "blog$")
		set("urlMatchType", "regex", "not_regex")
	case 2:
		set("selector", "#there", "#elsewhere")
	case 3:
		set("deviceTypes", []string{"Desktop"}, []string{"Mobile", "Tablet"})
	case 4:
		conditions["events"] = map[string]any{"repeatedActivation": rapid.Bool().Draw(rt, "repeated"), "values": []map[string]any{{"name": "bought"}}}
	case 5:
		set("seenSurveyWaitPeriodInDays", 2, 7)
	}
	survey["conditions"] = conditions
	if schedule, ok := some(rt, "schedule", "once", "always", "recurring"); ok {
		survey["schedule"] = schedule
		if schedule == "recurring" {
			survey["iteration_count"], survey["iteration_frequency_days"] = 3, 30
		}
	}
	return survey
}

func randomVisitor(rt *rapid.T) visitor {
	properties := func(label string) map[string]any {
		drawn := map[string]any{}
		draw := func(name string, values ...any) {
			if value, ok := some(rt, label+name, values...); ok {
				drawn[name] = value
			}
		}
		draw("plan", "pro", "free")
		draw("age", 20, 40, "31")
		draw("email", "anna@example.com", "zoe@example.com", "x")
		draw("joined", time.Now().AddDate(0, 0, -3).UTC().Format(time.RFC3339), "2024-06-01")
		return drawn
	}
	v := visitor{
		DistinctID: rapid.StringMatching(`[a-z]{12}`).Draw(rt, "id"), stored: properties("stored "),
		Storage:  map[string]string{},
		answered: rapid.SliceOfNDistinct(rapid.IntRange(0, surveysPerApp-1), 0, 3, rapid.ID[int]).Draw(rt, "answered"),
		seen:     rapid.SliceOfNDistinct(rapid.IntRange(0, surveysPerApp-1), 0, 3, rapid.ID[int]).Draw(rt, "seen"),
	}
	if rapid.IntRange(0, 3).Draw(rt, "overrides") == 0 {
		v.Override = properties("sent ")
		v.Override["app"] = true
	}
	if rapid.IntRange(0, 2).Draw(rt, "grouped") == 0 {
		v.Company, v.Size = "acme", rapid.SampledFrom([]int{5, 50}).Draw(rt, "size")
	}
	if rapid.Bool().Draw(rt, "bought") {
		v.Events = []string{"bought"}
	}
	if days, ok := some(rt, "days ago", 0.5, 3.5, 10.5); ok {
		v.daysAgo = days
		v.Storage["lastSeenSurveyDate"] = time.Now().Add(-time.Duration(days * 24 * float64(time.Hour))).UTC().Format(time.RFC3339)
	}
	return v
}

func randomOffers() *rapid.Generator[randomApp] {
	return rapid.Custom(func(rt *rapid.T) randomApp {
		return randomApp{
			surveys:  rapid.SliceOfN(rapid.Custom(randomSurvey), surveysPerApp, surveysPerApp).Draw(rt, "surveys"),
			visitors: rapid.SliceOfN(rapid.Custom(randomVisitor), visitorsPerApp, visitorsPerApp).Draw(rt, "visitors"),
		}
	})
}

// linkedFlags are the flags that random surveys link: one with variants, and one for companies.
const linkedFlags = `{"projects":[{"id":1,"group_types":["company"]}],"feature_flags":[
	{"id":5,"project_id":1,"key":"beta","filters":{"groups":[{"rollout_percentage":80}],
		"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]}}},
	{"id":6,"project_id":1,"key":"companies","filters":{"aggregation_group_type_index":0,"groups":[{"properties":[
		{"key":"size","type":"group","group_type_index":0,"operator":"gt","value":"10"}]}]}}]}`

// For random surveys and visitors, posthog-js shows exactly the surveys that follow from the server's flags and their
// conditions. OFFERED_SURVEYS sets the number of surveys, which is 40 by default.
func TestOffersInABrowser(t *testing.T) {
	t.Parallel()
	apps := 2
	if number := os.Getenv("OFFERED_SURVEYS"); number != "" {
		surveys, err := strconv.Atoi(number)
		require.NoError(t, err, "OFFERED_SURVEYS")
		apps = (surveys + surveysPerApp - 1) / surveysPerApp
	}

	browser := browsertest.Start(t)
	shown, hidden := 0, 0
	for seed := range apps {
		app := openOffers(t, browser, randomOffers().Example(seed))
		for _, v := range app.visitors {
			want := app.expected(v)
			asked, err := json.Marshal(v)
			require.NoError(t, err)
			var got []string
			app.page.Evaluate(t, "offered("+string(asked)+")", &got)
			if !assert.Equal(t, want, got, "app %d, person %s with properties %v, who has answered %v and seen %v", seed, asked, v.stored, v.answered, v.seen) {
				for _, id := range append(slices.Clone(got), want...) {
					if slices.Contains(got, id) != slices.Contains(want, id) {
						t.Logf("%s: %v, %v", id, app.srv.Survey(id), app.srv.SurveyPeople(id, v.DistinctID))
					}
				}
			}
			shown, hidden = shown+len(want), hidden+surveysPerApp-len(want)
		}
	}
	t.Logf("%d surveys were shown, and %d were not", shown, hidden)
	assert.Greater(t, shown, apps*surveysPerApp/2)
	assert.Greater(t, hidden, apps*surveysPerApp/2)
}

// openApp is a random app with an open page.
type openApp struct {
	t        *testing.T
	srv      *testserver.Instance
	page     *browsertest.Page
	url      string
	ids      []string
	visitors []visitor
}

// openOffers creates and launches the surveys through the API, sends the visitors to the server as apps do, and opens
// the page of the app, which has a different origin.
func openOffers(t *testing.T, browser *browsertest.Browser, random randomApp) *openApp {
	t.Helper()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(linkedFlags)})
	opened := &openApp{t: t, srv: srv, visitors: random.visitors}
	c := call(t, srv)
	for i, survey := range random.surveys {
		survey["name"] = fmt.Sprintf("Survey %d", i)
		body, err := json.Marshal(survey)
		require.NoError(t, err)
		path := c.newSurvey(string(body))
		c.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		opened.ids = append(opened.ids, idOfSurvey(path))
	}
	for i := range opened.visitors {
		opened.introduce(&opened.visitors[i])
	}

	document, err := os.ReadFile("testdata/offers.html")
	require.NoError(t, err)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.ReplaceAll(string(document), "SERVER", srv.URL)))
	}))
	t.Cleanup(app.Close)
	opened.url = app.URL + "/shop/cart"
	opened.page = browser.Open(t, opened.url, browsertest.View{})
	return opened
}

// iteration returns the iteration of a survey, or "".
func (a *openApp) iteration(i int) string {
	if number, ok := a.srv.Survey(a.ids[i])["current_iteration"].(json.Number); ok && number != "0" {
		return number.String()
	}
	return ""
}

// introduce sends the events of a visitor's past, and sets what the browser remembers.
func (a *openApp) introduce(v *visitor) {
	a.t.Helper()
	send := func(event string, set map[string]any) {
		body, err := json.Marshal(map[string]any{"api_key": "phc_test", "batch": []map[string]any{
			{"event": event, "distinct_id": v.DistinctID, "properties": map[string]any{"$set": set}}}})
		require.NoError(a.t, err)
		app(a.t, a.srv).post("/batch/", string(body)).is(http.StatusOK)
	}

	send("$set", v.stored)
	for _, i := range v.answered {
		send("survey sent", map[string]any{"$survey_responded/" + strings.TrimSuffix(a.ids[i]+"/"+a.iteration(i), "/"): true})
	}
	for _, i := range v.seen {
		v.Storage["seenSurvey_"+strings.TrimSuffix(a.ids[i]+"_"+a.iteration(i), "_")] = "true"
	}
}

// expected returns the IDs of the surveys that the app must show to a visitor.
func (a *openApp) expected(v visitor) []string {
	a.t.Helper()
	request := map[string]any{"distinct_id": v.DistinctID, "person_properties": v.Override}
	if v.Company != "" {
		request["groups"] = map[string]any{"company": v.Company}
		request["group_properties"] = map[string]any{"company": map[string]any{"size": v.Size}}
	}
	body, err := json.Marshal(request)
	require.NoError(a.t, err)

	c := app(a.t, a.srv)
	names := c.offered("phc_test", string(body))
	ids := []string{}
	for name, survey := range c.feed("phc_test") {
		var of struct {
			ID         string
			Schedule   string
			Conditions offerConditions
		}
		raw, err := json.Marshal(survey)
		require.NoError(a.t, err)
		require.NoError(a.t, json.Unmarshal(raw, &of))
		again := of.Schedule == "always" || of.Conditions.Events.RepeatedActivation && len(of.Conditions.Events.Values) > 0
		hasSeen := slices.ContainsFunc(v.seen, func(i int) bool { return a.ids[i] == of.ID })
		if slices.Contains(names, strings.Trim(name, `"`)) && of.Conditions.areMet(a.url, v) && (again || !hasSeen) {
			ids = append(ids, of.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// offerConditions are the conditions of random surveys on a page.
type offerConditions struct {
	URL, URLMatchType, Selector string
	DeviceTypes                 []string
	SeenSurveyWaitPeriodInDays  float64
	Events                      struct {
		RepeatedActivation bool
		Values             []any
	}
}

// areMet reports whether a desktop browser on the app's page meets the conditions.
func (c offerConditions) areMet(url string, v visitor) bool {
	matches := true
	switch {
	case c.URL == "":
	case strings.Contains(c.URLMatchType, "regex"):
		matches = strings.HasPrefix(c.URL, "^http")
	default:
		matches = strings.Contains(strings.ToLower(url), strings.ToLower(c.URL))
	}
	if c.URL != "" && strings.HasPrefix(c.URLMatchType, "not_") {
		matches = !matches
	}

	waited := c.SeenSurveyWaitPeriodInDays == 0 || v.daysAgo == 0 || v.daysAgo+0.5 > c.SeenSurveyWaitPeriodInDays
	return matches && waited && c.Selector != "#elsewhere" && (len(c.DeviceTypes) == 0 || c.DeviceTypes[0] == "Desktop") &&
		(len(c.Events.Values) == 0 || len(v.Events) > 0)
}
