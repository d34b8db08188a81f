package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// offered returns the names of the surveys that an SDK offers to a person, computed from the server's surveys and
// flags.
func (c caller) offered(token, person string) []string {
	c.t.Helper()
	flags := c.flags(token, person).Flags
	isOn := func(raw json.RawMessage, variant string) bool {
		var key string
		if raw == nil || json.Unmarshal(raw, &key) != nil || key == "" {
			return true
		}
		flag := flags[key]
		return flag.Enabled && (variant == "" || variant == "any" || flag.Variant != nil && *flag.Variant == variant)
	}

	names := []string{}
	for _, survey := range c.feed(token) {
		var conditions struct {
			LinkedFlagVariant string
			Events            struct {
				RepeatedActivation bool
				Values             []any
			}
		}
		require.NoError(c.t, json.Unmarshal(survey["conditions"], &conditions))
		again := string(survey["schedule"]) == `"always"` || conditions.Events.RepeatedActivation && len(conditions.Events.Values) > 0
		if isOn(survey["linked_flag_key"], conditions.LinkedFlagVariant) && isOn(survey["targeting_flag_key"], "") &&
			(again || isOn(survey["internal_targeting_flag_key"], "")) {
			var name string
			require.NoError(c.t, json.Unmarshal(survey["name"], &name))
			names = append(names, name)
		}
	}
	return names
}

const offerPersons = `"persons":[
	{"project_id":1,"distinct_ids":["anna"],"properties":{"plan":"pro","age":30}},
	{"project_id":1,"distinct_ids":["ben"],"properties":{"plan":"free"}},
	{"project_id":1,"distinct_ids":["cleo","c@example.com"],"properties":{}}]`

// seenBefore is the reason why a person who has answered or dismissed a survey is not asked again.
const seenBefore = "internal flag: this person has answered or dismissed it, or is within its wait period "

// reasonsOf returns the reasons for each person, by the first distinct ID. They are empty for a person who is
// offered the survey.
func reasonsOf(srv *testserver.Instance, id string, persons ...string) map[string][]string {
	reasons := map[string][]string{}
	for _, p := range srv.SurveyPeople(id, persons...) {
		reasons[p.DistinctIDs[0]] = p.Reasons
	}
	return reasons
}

func idOfSurvey(path string) string {
	return strings.TrimSuffix(strings.TrimPrefix(path, surveys), "/")
}

// A survey that was created and launched through the API is offered to exactly the persons whom its filters
// select. For all other persons, the server returns the reason.
func TestOfferOfATargetedSurvey(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, `{`+offerPersons+`}`) {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","questions":[{"type":"open","question":"Why?"}],
			"targeting_flag_filters":{"groups":[{"variant":null,"rollout_percentage":100,"properties":[{"key":"plan","value":["pro"],"operator":"exact","type":"person"}]}]}}`)
		assert.Equal(t, []string{`status: it is a draft: launch it in PostHog, or with status = "running"`}, reasonsOf(srv, idOfSurvey(path))["anna"][:1], profile)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"anna"}`), profile)

		api.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"anna"}`), profile)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"ben"}`), profile)
		assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"ben","person_properties":{"plan":"pro"}}`), profile)

		people := reasonsOf(srv, idOfSurvey(path))
		assert.Empty(t, people["anna"])
		require.Len(t, people["ben"], 1)
		assert.Contains(t, people["ben"][0], `"plan" is "free". Required: exact ["pro"]`)
		assert.Contains(t, people["cleo"][0], `"plan" is not set. Required: exact ["pro"]`)
		assert.Contains(t, reasonsOf(srv, idOfSurvey(path), "stranger")["stranger"][0], `"plan" is not set`)

		api.patch(path, `{"end_date":"2026-01-02T00:00:00Z"}`).is(http.StatusOK)
		assert.Contains(t, reasonsOf(srv, idOfSurvey(path))["anna"], `status: it was stopped at 2026-01-02T00:00:00Z: resume it with status = "running"`, profile)
	}
}

// A person who has answered or dismissed a survey is not asked again before its next iteration. A survey that always
// repeats is always offered.
func TestOfferAfterAnAnswer(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, `{`+offerPersons+`}`) {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","questions":[{"type":"open","question":"Why?"}]}`)
		id := idOfSurvey(path)
		for _, property := range []string{"responded", "dismissed"} {
			key := "$survey_" + property + "/" + id
			assert.Empty(t, c.offered("phc_test", `{"distinct_id":"anna","person_properties":{"`+key+`":true}}`), profile)

			srv.SetFixtures(strings.Replace(srv.Dump(), `"properties":{"plan":"free"`, `"properties":{"`+key+`":true,"plan":"free"`, 1))
			assert.Empty(t, c.offered("phc_test", `{"distinct_id":"ben"}`), profile)
			assert.Equal(t, []string{seenBefore + "(" + key + " is set)"}, reasonsOf(srv, id)["ben"], profile)
			srv.SetFixtures(strings.Replace(srv.Dump(), `"`+key+`":true,`, "", 1))
			assert.Empty(t, reasonsOf(srv, id)["ben"])
		}

		if profile == testserver.Hosted {
			api.patch(path, `{"schedule":"always"}`).is(http.StatusOK)
			assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"anna","person_properties":{"$survey_responded/`+id+`":true}}`))
		}
	}
}

// The wait period of a survey is a condition of its internal flag.
func TestOfferWithinAWaitPeriod(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(`{"clock":"2026-01-31T00:00:00Z","persons":[
		{"project_id":1,"distinct_ids":["lately"],"properties":{"$last_seen_survey_date":"2026-01-30T00:00:00Z"}},
		{"project_id":1,"distinct_ids":["long ago"],"properties":{"$last_seen_survey_date":"2026-01-01T00:00:00Z"}}]}`)})
	path := call(t, srv).newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","conditions":{"seenSurveyWaitPeriodInDays":7},"questions":[{"type":"open","question":"Why?"}]}`)
	c := app(t, srv)
	assert.Empty(t, c.offered("phc_test", `{"distinct_id":"lately"}`))
	assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"long ago"}`))
	assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"never"}`))
	assert.Contains(t, reasonsOf(srv, idOfSurvey(path))["lately"][0], `"$last_seen_survey_date" is "2026-01-30T00:00:00Z". Required: is_date_before "7d"`)
	srv.SetClock(time.Date(2026, 2, 7, 0, 0, 0, 0, time.UTC))
	assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"lately"}`))
}

// Of several surveys without a delay, posthog-js shows the first in the feed, which is ordered by start date.
func TestOfferThatIsFirstInTheFeed(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	for _, survey := range []struct{ name, start string }{{"created first", "2026-01-20"}, {"started first", "2026-01-10"}} {
		call(t, srv).newSurvey(fmt.Sprintf(`{"name":%q,"type":"popover","start_date":"%sT00:00:00Z","conditions":{"seenSurveyWaitPeriodInDays":7},"questions":[{"type":"open","question":"Why?"}]}`, survey.name, survey.start))
	}

	offers, err := srv.Offers(srv.ProjectID, testserver.Visit{DistinctID: "ada"})
	require.NoError(t, err)
	require.Len(t, offers, 2)
	assert.Equal(t, "started first", offers[0].Name)
	assert.Empty(t, offers[0].Reasons)
	assert.Equal(t, []string{`survey "started first" is shown first in this visit, and conditions.seenSurveyWaitPeriodInDays = 7 hides this survey after any other`}, offers[1].Reasons)
}

// A linked flag must be on, with the variant that the conditions require.
func TestOfferByALinkedFlag(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, `{`+offerPersons+`,"feature_flags":[{"id":5,"project_id":1,"key":"beta","filters":{
		"groups":[{"variant":"red","properties":[{"key":"plan","value":"pro","operator":"exact","type":"person"}]},{"variant":"blue","properties":[{"key":"plan","value":"free","operator":"exact","type":"person"}]}],
		"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]}}}]}`) {
		c, api := app(t, srv), call(t, srv)
		conditions := `{"linkedFlagVariant":"red"}`
		if profile == testserver.Documented {
			conditions = `"{\"linkedFlagVariant\":\"red\"}"`
		}
		path := api.newSurvey(`{"name":"S","type":"popover","linked_flag_id":5,"start_date":"2026-01-01T00:00:00Z","conditions":` + conditions + `,"questions":[{"type":"open","question":"Why?"}]}`)
		assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"anna"}`), profile)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"ben"}`), profile)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"cleo"}`), profile)

		people := reasonsOf(srv, idOfSurvey(path))
		assert.Empty(t, people["anna"], profile)
		assert.Equal(t, []string{`linked flag: linkedFlagVariant is "red", and this person gets variant "blue"`}, people["ben"], profile)
		assert.Equal(t, []string{`linked flag: feature flag "beta" is off for this person (condition 1: "plan" is not set. Required: exact "pro"; ` +
			`condition 2: "plan" is not set. Required: exact "free")`}, people["cleo"], profile)
	}
}

// After POST launch/, PostHog leaves the survey's flags off. Any later save turns them on.
func TestOfferAfterLaunch(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	api := call(t, srv)
	path := api.newSurvey(`{"name":"S","type":"popover","questions":[{"type":"open","question":"Why?"}]}`)
	api.post(path+"launch/", `{}`).is(http.StatusOK)
	people := reasonsOf(srv, idOfSurvey(path), "anna")
	require.Len(t, people["anna"], 1)
	assert.Contains(t, people["anna"][0], "is off although the survey is running: save the survey again")
	assert.Empty(t, app(t, srv).offered("phc_test", `{"distinct_id":"anna"}`))

	api.patch(path, `{"description":"Saved once more"}`).is(http.StatusOK)
	assert.Empty(t, reasonsOf(srv, idOfSurvey(path), "anna")["anna"])
	assert.Equal(t, []string{"S"}, app(t, srv).offered("phc_test", `{"distinct_id":"anna"}`))
}

// The control interface returns the same result to programs in other languages.
func TestPeopleOverHTTP(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true, Delivery: true, Fixtures: strings.NewReader(`{` + offerPersons + `,"surveys":[
		{"id":"019b0000-0000-7000-8000-000000000001","project_id":1,"name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z"},
		{"id":"019b0000-0000-7000-8000-000000000002","project_id":1,"name":"E","type":"external_survey","start_date":"2025-01-01T00:00:00Z"},
		{"id":"019b0000-0000-7000-8000-000000000004","project_id":1,"name":"C","type":"popover","start_date":"2025-01-01T00:00:00Z",
			"conditions":{"url":"/pricing","selector":"#x","deviceTypes":["Mobile"],"seenSurveyWaitPeriodInDays":7,"events":{"values":[{"name":"paid"}]},"actions":{"values":[{"id":1,"name":"left"}]}}}]}`)})
	c := call(t, srv).undocumentedAnswers()
	const path = control + "surveys/019b0000-0000-7000-8000-000000000001/people"
	assert.JSONEq(t, `[{"distinct_ids":["anna"],"offered":true,"reasons":[]},{"distinct_ids":["ben"],"offered":true,"reasons":[]},
		{"distinct_ids":["cleo","c@example.com"],"offered":true,"reasons":[]}]`, c.get(path).is(http.StatusOK).body)
	assert.JSONEq(t, `[{"distinct_ids":["cleo","c@example.com"],"offered":true,"reasons":[]},{"distinct_ids":["x"],"offered":true,"reasons":[]}]`,
		c.get(path+"?distinct_id=c@example.com&distinct_id=x").is(http.StatusOK).body)
	assert.Contains(t, c.get(control+"surveys/019b0000-0000-7000-8000-000000000002/people").body, "an external_survey is shown only on its own page")
	assert.JSONEq(t, `[{"distinct_ids":["anna"],"offered":true,"reasons":[],"in_the_app":["the app is a web app: posthog-react-native (from 4.10.4 on), `+
		`posthog-ios (from 3.67.1 on), posthog-android, and posthog_flutter never show a survey with conditions.url and conditions.selector","an element matches #x",
		"either one of these events was sent: \"paid\", or one of these actions was done: \"left\"","no survey was shown for 7 days, this one included","the URL contains \"/pricing\"","the device is one of Mobile"]}]`,
		c.get(control+"surveys/019b0000-0000-7000-8000-000000000004/people?distinct_id=anna").body)
	c.get(control + "surveys/019b0000-0000-7000-8000-000000000003/people").is(http.StatusNotFound)
	c.get(control + "surveys/nonsense/people").is(http.StatusNotFound)
	c.get(control + "surveys/019b0000-0000-7000-8000-000000000001/").is(http.StatusNotFound)
	c.post(path, "{}").is(http.StatusMethodNotAllowed)
	c.get(path + "?world=none").is(http.StatusNotFound)

	_, err := srv.Server.World("w")
	require.NoError(t, err)
	assert.Contains(t, c.get(path+"?world=w").is(http.StatusOK).body, "anna")
}

// The events of an answer end the offer for the person with all IDs. A survey that its limit stopped is offered to no
// one.
func TestOfferAfterEvents(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, `{`+offerPersons+`}`) {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","questions":[{"type":"open","question":"Why?"}]}`)
		id := idOfSurvey(path)
		event := func(name, person, set string) {
			c.capture(captured(name, person, `,"$survey_id":"`+id+`","$set":`+set))
		}

		event("survey shown", "anna", `{"$survey_last_seen_date":"2026-01-02T00:00:00Z"}`)
		assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"anna"}`), profile)
		event("survey sent", "anna", `{"$survey_responded/`+id+`":true}`)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"anna"}`), profile)
		event("survey dismissed", "c@example.com", `{"$survey_dismissed/`+id+`":true}`)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"cleo"}`), profile)

		// The person answers first and signs in later.
		event("survey sent", "browser-1", `{"$survey_responded/`+id+`":true}`)
		c.capture(captured("$identify", "ben", `,"$anon_distinct_id":"browser-1"`))
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"ben"}`), profile)
		assert.Equal(t, []string{"S"}, c.offered("phc_test", `{"distinct_id":"browser-2"}`), profile)

		people := reasonsOf(srv, id)
		assert.Equal(t, []string{seenBefore + "($survey_responded/" + id + " is set)"}, people["anna"], profile)
		assert.Equal(t, []string{seenBefore + "($survey_dismissed/" + id + " is set)"}, people["cleo"], profile)
		assert.Contains(t, people["ben"][0], "has answered or dismissed it", profile)

		api.patch(path, `{"responses_limit":3}`).is(http.StatusOK)
		event("survey sent", "dora", `{"$survey_responded/`+id+`":true}`)
		assert.Empty(t, c.offered("phc_test", `{"distinct_id":"browser-2"}`), profile)
		assert.Contains(t, reasonsOf(srv, id, "browser-2")["browser-2"][0], "it was stopped at", profile)
	}
}
