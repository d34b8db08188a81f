package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// oddValues are of every JSON type, and of what is hard about them.
var oddValues = []string{
	`null`, `true`, `false`, `0`, `-1`, `1.5`, `1e400`, `12345678901234567890`, `"0001-01-01"`, `"9999-12-31T23:59:59-23:59"`,
	`""`, `" "`, `"\u0000"`, `"\ud800"`, `"<a"`, `"<script>"`, `"\u2028"`, `"mailto:"`, `"https:"`, `"regex"`,
	`[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `[""]`, `[{"id":{}}]`, `{"":null}`, `{"a":{"b":[]}}`, `{"a":1,"a":2}`, `{"values":[{"id":"x"}]}`,
	`{"groups":[{"properties":[{"type":[],"value":{},"operator":"gt"}]}]}`, `{"groups":[],"multivariate":{"variants":[1,{}]}}`,
	`{"de":{"name":"x"},"DE":{"choices":[]}}`,
}

// Whatever is sent, something is answered that a client can read, and what is stored
// can be read, dumped and loaded.
func TestHostedTakesAnyJSON(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, validationFixtures)

	places := []string{
		`"questions":[{"question":ODD}]`, `"conditions":{"url":ODD}`, `"conditions":{"actions":ODD}`, `"conditions":{"actions":{"values":ODD}}`,
		`"conditions":{"seenSurveyWaitPeriodInDays":ODD}`, `"conditions":{"linkedFlagVariant":ODD},"linked_flag_id":2`,
		`"type":"external_survey","conditions":{"events":ODD}`, `"translations":{"de":ODD}`, `"translations":{"de":{"name":ODD}}`,
		`"appearance":{"shuffleQuestions":ODD}`, `"appearance":{"surveyPopupDelaySeconds":ODD}`, `"appearance":{"whiteLabel":ODD}`,
		`"appearance":{"thankYouMessageHeader":ODD}`, `"targeting_flag_filters":{"groups":ODD}`, `"targeting_flag_filters":{"groups":[ODD]}`,
		`"targeting_flag_filters":{"groups":[{"rollout_percentage":ODD}]}`, `"targeting_flag_filters":{"groups":[{"properties":ODD,"rollout_percentage":5}]}`,
		`"targeting_flag_filters":{"groups":[{"properties":[ODD],"rollout_percentage":5}]}`, `"targeting_flag_filters":{"groups":[],"multivariate":ODD}`,
		`"response_sampling_start_date":"2026-02-01","response_sampling_limit":5,"response_sampling_interval":ODD`,
	}
	for _, key := range []string{"id", "description", "choices", "link", "validation", "translations", "branching", "descriptionContentType"} {
		places = append(places, `"questions":[{"question":"q","`+key+`":ODD}]`)
	}
	for _, key := range []string{`"translations":{"de":ODD}`, `"translations":{"de":{"choices":ODD}},"choices":["a"]`, `"validation":[ODD]`, `"choices":[ODD]`} {
		places = append(places, `"questions":[{"question":"q",`+key+`}]`)
	}
	for _, name := range api.Fields("SurveyRequest") {
		places = append(places, `"`+name+`":ODD`)
	}

	for i, place := range places {
		for j, odd := range oddValues {
			if testing.Short() && (i+j)%5 > 0 {
				continue
			}
			sent := "{" + strings.ReplaceAll(place, "ODD", odd) + "}"
			a := c.patch(mine, sent)
			assert.Contains(t, []int{http.StatusOK, http.StatusBadRequest, http.StatusInternalServerError}, a.status, sent)
			a.object()

			if a = c.post(surveys, `{"name":"New","type":"api",`+sent[1:]); a.status == http.StatusCreated {
				path := surveys + a.object()["id"].(string) + "/"
				c.get(path).is(http.StatusOK).object()
				c.delete(path).is(http.StatusNoContent)
			} else {
				assert.Contains(t, []int{http.StatusBadRequest, http.StatusInternalServerError}, a.status, sent)
				deleteLeft(t, srv)
			}

			c.get(surveys).object()
		}

		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), place)
		c.patch(mine, `{"name":"Mine","questions":null,"conditions":null,"appearance":null,"iteration_count":null,
			"response_sampling_start_date":null,"remove_targeting_flag":true}`).is(http.StatusOK)
	}
}

// deleteLeft deletes the survey that an error can leave.
func deleteLeft(t *testing.T, srv *testserver.Instance) {
	t.Helper()
	for _, s := range srv.Surveys(srv.ProjectID) {
		if s["name"] == "New" {
			srv.DeleteSurvey(s["id"].(string))
		}
	}
}
