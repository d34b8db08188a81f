package service_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
)

func TestHostedFiltersOfItems(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, strings.Replace(listed, `{"surveys"`, `{"organizations":[{"id":"`+fixtures.DefaultOrganizationID+`","features":["survey_list_filters"]}],"surveys"`, 1))
	one := surveys + "019b0000-0000-7000-8000-000000000001/"

	c.step(t, "C46 filters act on item routes", func(_ *testing.T, c caller) {
		c.get(one + "?type=popover&archived=false&search=onboarding").is(http.StatusOK)
		c.get(one+"?archived=true").fails(http.StatusNotFound, "not_found", "", "Not found.")
		c.get(one+"?search=zzz").fails(http.StatusNotFound, "not_found", "", "Not found.")
		c.patch(one+"?type=api", `{}`).fails(http.StatusNotFound, "not_found", "", "Not found.")
		c.get(one+"?ids=x").fails(http.StatusBadRequest, "invalid_input", "ids", "Enter a valid UUID.")
	})

	c.step(t, "C46 ids of commas alone find nothing", func(t *testing.T, c caller) {
		assert.Empty(t, c.get(surveys+"?ids=,,").names())
	})

	c.step(t, "C46 created_by and status (one version)", func(t *testing.T, c caller) {
		assert.Len(t, c.get(surveys+"?created_by=1").names(), 5)
		assert.Empty(t, c.get(surveys+"?created_by=2").names())
		assert.Len(t, c.get(surveys+"?status=draft").names(), 5)

		srv.PatchSurvey("019b0000-0000-7000-8000-000000000001", object{"start_date": "2026-01-01T00:00:00Z"})
		assert.Equal(t, []string{"Onboarding feedback"}, c.get(surveys+"?status=running").names())
		srv.PatchSurvey("019b0000-0000-7000-8000-000000000001", object{"end_date": "2026-01-02T00:00:00Z"})
		assert.Equal(t, []string{"Onboarding feedback"}, c.get(surveys+"?status=complete").names())
		c.get(surveys+"?status=over").fails(http.StatusBadRequest, "invalid_choice", "status", "Select a valid choice. over is not one of the available choices.")

		_, plain := startHosted(t, withFeatures(``, strings.TrimSuffix(strings.Replace(listed, `{"surveys"`, `,"surveys"`, 1), "}")))
		plain.t = t
		assert.Len(t, plain.get(surveys+"?status=over&created_by=x").names(), 5, "ignored without the feature")
	})

	c.step(t, "C46 limit and offset beyond 64 bits", func(t *testing.T, c caller) {
		c.get(surveys+"?limit=99999999999999999999").fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Len(t, c.get(surveys+"?limit=9223372036854775807").names(), 5)
		assert.Empty(t, c.get(surveys+"?offset=99999999999999999999").names())
		assert.Len(t, c.get(surveys+"?limit=%202%20").names(), 2)
	})
}

func TestHostedCleaningOfToday(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"C48 cite keeps any value", `<q cite=\"javascript:x\">y</q>`, `<q cite=\"javascript:x\">y</q>`},
		{"C49 svg goes with its text", `<b>a<svg><text>b</text></svg></b>`, `<b>a</b>`},
		{"C50 href with braces in its host", `<a href=\"https://{{h}}/\">y</a>`, `<a rel=\"noopener\">y</a>`},
		{"C51 600 nested tags", strings.Repeat("<b>", 600) + "x", strings.Repeat("<b>", 600) + "x" + strings.Repeat("</b>", 600)},
		{"C51 NUL", `a & \u0000b`, `a &amp; b`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, "")
			a := c.post(surveys, `{"name":"S","type":"api","appearance":{"thankYouMessageHeader":"`+row.text+`"}}`).is(http.StatusCreated)
			assert.Equal(t, `{"thankYouMessageHeader":"`+row.want+`"}`, a.raw("appearance"))
		})
	}
}

func TestHostedResponsesOfSubmissions(t *testing.T) {
	t.Parallel()
	t.Run("C56 the latest of a submission counts, for each survey", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, "")

		var made, counts []string
		for i := range 120 {
			id := fmt.Sprintf("019b0000-0000-7000-9000-%012x", i)
			made = append(made, `{"project_id":1,"id":"`+id+`","name":"S`+id+`","type":"api","start_date":"2026-01-01T00:00:00Z"}`)
			counts = append(counts, `{"survey_id":"`+id+`","count":1}`)
		}

		const first, second = "019b0000-0000-7000-9000-000000000000", "019b0000-0000-7000-9000-000000000001"
		counts = append(counts,
			`{"survey_id":"`+first+`","count":1,"at":"2026-01-03T00:00:00Z","submission_id":"s"}`,
			`{"survey_id":"`+first+`","count":1,"at":"2026-01-02T00:00:00Z","submission_id":"s"}`,
			`{"survey_id":"`+second+`","count":1,"at":"2026-01-02T00:00:00Z","submission_id":"s"}`)
		srv.SetFixtures(`{"surveys":[` + strings.Join(made, ",") + `],"responses":[` + strings.Join(counts, ",") + `]}`)

		a := c.get(surveys + "responses_count/").is(http.StatusOK)
		assert.Len(t, a.object(), 120, "not cut at 100")
		assert.Equal(t, "2", a.raw(first))
		assert.Equal(t, "2", a.raw(second))

		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	})
}

func TestHostedJobIsForRecurringSurveys(t *testing.T) {
	t.Parallel()
	t.Run("C58 the job looks at recurring surveys alone", func(t *testing.T) {
		t.Parallel()
		const iterations = `"start_date":"2026-01-01T00:00:00Z","iteration_count":2,"iteration_frequency_days":7,"current_iteration":1,
"iteration_start_dates":["2026-01-01T00:00:00Z","2026-01-08T00:00:00Z"],"current_iteration_start_date":"2026-01-01T00:00:00Z"`
		srv, c := startHosted(t, `{"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"Once","type":"api","schedule":"once",`+iterations+`},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"Recurring","type":"api","schedule":"recurring",`+iterations+`}]}`)
		srv.SetClock(time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC))
		srv.RunJobs()
		assert.Equal(t, "1", c.get(surveys+"019b0000-0000-7000-8000-000000000001/").raw("current_iteration"))
		assert.Equal(t, "2", c.get(surveys+"019b0000-0000-7000-8000-000000000002/").raw("current_iteration"))
	})
}

func TestHostedAppChanges(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, levels("9"))
	foreign := "/api/organizations/" + otherOrganization + "/pipeline_import_apps/"
	_, guest := startHosted(t, strings.Replace(levels("9"), `"pipeline_import_apps"`, `"users":[{"id":1,"organization_ids":["`+fixtures.DefaultOrganizationID+`"]}],"pipeline_import_apps"`, 1))

	c.step(t, "C62 a global app is read by those who are no members", func(t *testing.T, _ caller) {
		guest.t = t
		guest.get(foreign + "4/").is(http.StatusOK)
		guest.get(foreign+"3/").fails(http.StatusForbidden, "permission_denied", "", "You do not have permission to perform this action.")
		guest.patch(foreign+"4/", `{}`).is(http.StatusForbidden)
		guest.get(foreign).is(http.StatusForbidden)
	})

	c.step(t, "C63 PATCH ignores url and latest_tag", func(t *testing.T, c caller) {
		a := c.patch(apps+"1/", `{"url":"https://github.com/o/other","latest_tag":"v9"}`).is(http.StatusOK)
		assert.Equal(t, "null", a.raw("url"))
		assert.Equal(t, "null", a.raw("latest_tag"))
	})

	c.step(t, "C64 is_global on POST needs ROOT only when it is true", func(t *testing.T, _ caller) {
		_, c := startHosted(t, levels("6"))
		c.t = t
		c.post(apps, `{"plugin_type":"source","is_global":false}`).is(http.StatusCreated)
		c.post(apps, `{"plugin_type":"source","is_global":true}`).is(http.StatusForbidden)
		c.put(apps+"1/", `{"is_global":false}`).is(http.StatusForbidden)
	})
}

// The server returns a snapshot of a newer PostHog unchanged, including unknown members.
func TestHostedSnapshot(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../testdata/newer_service.json")
	require.NoError(t, err)

	_, c := startHosted(t, string(document))
	c = c.undocumentedAnswers()
	path := surveys + "019b0000-0000-7000-8000-00000000000a/"
	read := c.get(path).is(http.StatusOK)

	for name, want := range map[string]string{
		"type": `"full_screen"`, "schedule": `"always"`, "conditions": `{"url":"https://example.com"}`, "base_language": `"en"`,
		"brand_new": `{"deep":[1.50,9007199254740993]}`, "linked_flag_id": "41", "user_access_level": `"manager"`,
		"iteration_start_dates": "null",
	} {
		assert.Equal(t, want, read.raw(name), name)
	}

	assert.Equal(t, "3", read.flag("linked_flag", "version"))
	assert.Equal(t, `{"x":1}`, read.flag("linked_flag", "unheard_of"))
	assert.Equal(t, `"admin"`, read.flag("created_by", "role_at_organization"))
	assert.Contains(t, read.raw("feature_flag_keys"), `{"key":"internal_targeting_flag_key","value":"survey-targeting-0123456789-custom"}`)

	updated := c.patch(path, `{"description":"x"}`).is(http.StatusOK)
	assert.Equal(t, `{"deep":[1.50,9007199254740993]}`, updated.raw("brand_new"), "unknown members survive an update")
	assert.Equal(t, 1, strings.Count(updated.body, `"schedule":`))
}

// PostHog's response contains only the key of a survey's sampling flag.
func TestHostedSnapshotOfASampledSurvey(t *testing.T) {
	t.Parallel()
	const sampled = `{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000aa","name":"S","type":"api","feature_flag_keys":[
{"key":"linked_flag_key","value":null},{"key":"internal_response_sampling_flag_key","value":"KEY"}]}`
	for _, key := range []string{"survey-targeting-0123456789-sampling", "test-flag"} {
		srv, c := startHosted(t, `{"feature_flags":[{"id":1,"project_id":1,"key":"test-flag"}],"surveys":[`+strings.ReplaceAll(sampled, "KEY", key)+`]}`)
		assert.Contains(t, c.get(surveys+"019b0000-0000-7000-9000-0000000000aa/").raw("feature_flag_keys"), `"internal_response_sampling_flag_key","value":"`+key+`"`)
		assert.Equal(t, 1, strings.Count(srv.Dump(), `"key":"`+key+`"`))
		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	}
}
