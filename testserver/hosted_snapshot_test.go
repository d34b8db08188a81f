package testserver_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The answers about surveys fit the document, those to a full survey, to an empty one
// and to errors.
func TestHostedSurveysConform(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Document())
	require.NoError(t, err)
	allowNull(doc)

	bodies := map[string]string{
		"surveys_create": `{"name":"New","type":"api",` + fullSurvey + `}`, "surveys_partial_update": `{` + fullSurvey + `}`,
	}
	seen := 0

	for _, op := range api.Operations() {
		path := strings.NewReplacer("{project_id}", testserver.DefaultProjectID, "{id}", "019b0000-0000-7000-9000-0000000000aa").Replace(op.Path)
		standard := strings.HasSuffix(op.Path, "/surveys/") || strings.HasSuffix(op.Path, "/surveys/{id}/")
		if !standard {
			continue
		}

		seen++
		_, c := startHosted(t, strings.Replace(validationFixtures, `{"id":5,"project_id":2}`, `{"id":5,"project_id":1}`, 1))
		check := conformance{doc, op}
		check.validate(t, c.do(op.Method, path, bodies[op.ID]), true)
		check.validate(t, c.with("Authorization", "").do(op.Method, path, bodies[op.ID]), false)

		if bodies[op.ID] != "" {
			check.validate(t, c.do(op.Method, path, `{"name":""}`), false)
			check.validate(t, c.do(op.Method, path, `{"name":"New","type":"api","enable_iframe_embedding":null}`), false)
		}
	}

	assert.Equal(t, 5, seen)
}

// allowNull lets further keys be null: a schema without a type means any JSON, and
// the validator leaves null out unless it is told.
func allowNull(doc *openapi3.T) {
	for _, schema := range doc.Components.Schemas {
		holders := []*openapi3.SchemaRef{schema}
		for _, property := range schema.Value.Properties {
			holders = append(holders, property)
		}
		for _, holder := range holders {
			if further := holder.Value.AdditionalProperties.Schema; further != nil && further.Value.Type == nil {
				further.Value.Nullable = true
			}
		}
	}
}

// A snapshot of a newer service is served as it is, what nobody knows included.
func TestHostedSnapshot(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/newer_service.json")
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
	assert.Equal(t, `{"deep":[1.50,9007199254740993]}`, updated.raw("brand_new"), "what nobody knows survives an update")
	assert.Equal(t, 1, strings.Count(updated.body, `"schedule":`))
}

// A survey as the service answers it names its sampling flag by its key alone.
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

func TestHostedFixturesWithFaults(t *testing.T) {
	t.Parallel()
	survey := func(more string) string {
		return `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000aa","name":"S","type":"api",` + more + `}]}`
	}

	for _, row := range []struct{ document, complaint string }{
		{survey(`"schedule":5`), `surveys[0].schedule: must be a string, is a number`},
		{survey(`"base_language":null`), `surveys[0].base_language: cannot be null`},
		{survey(`"translations":[]`), `surveys[0].translations: must be an object, is an array`},
		{survey(`"response_sampling_start_date":"soon"`), `surveys[0].response_sampling_start_date: must be a date-time, is a string`},
		{`{"cohorts":[{"id":1}]}`, `cohorts[0]: needs the key "project_id"`},
		{`{"cohorts":[{"id":1,"project_id":1},{"id":1,"project_id":1}]}`, `cohorts[1].id: another cohort has it too`},
		{`{"cohorts":[{"id":1,"project_id":7}]}`, `cohorts[0].project_id: there is no project 7`},
		{`{"insights":[{"id":1,"project_id":7}]}`, `insights[0].project_id: there is no project 7`},
		{`{"insights":[{"id":1,"project_id":1},{"id":1,"project_id":1}]}`, `insights[1].id: another insight has it too`},
		{`{"insights":[{"id":1,"project_id":1,"nam":"x"}]}`, `insights[0].nam: unknown key, did you mean "name"?`},
	} {
		_, err := testserver.New(testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(row.document)})
		assert.EqualError(t, err, "fixtures: "+row.complaint)
	}

	// Cohorts and insights come back in a dump.
	srv, _ := startHosted(t, validationFixtures)
	dump := srv.Dump()
	assert.Contains(t, dump, `{"id":7,"project_id":1,"name":"buyers","behavioral":true}`)
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
}
