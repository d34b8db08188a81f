package testserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Every operation of the document is called in the hosted profile too. Its answers
// have the documented shape, and where the document has none, the one that it notes
// for the hosted service.
func TestEveryHostedOperationAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Document())
	require.NoError(t, err)

	for _, schema := range doc.Components.Schemas {
		anyMeansNullToo(schema)
	}

	for _, op := range api.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, "")

			survey := c.post(surveys, conformingSurvey).is(http.StatusCreated).object()["id"].(string)
			c.post(apps, `{"plugin_type":"source","name":"App",`+importing+`}`).is(http.StatusCreated)

			body, id := "", survey
			if op.Method == http.MethodPost || op.Method == http.MethodPatch {
				body = strings.ReplaceAll(conformingSurvey, "Conforming", "Another")
			}

			if strings.Contains(op.Path, "pipeline") {
				id = "1"
				body = strings.ReplaceAll(body, body, `{"plugin_type":"source","name":"Another"}`)
			}

			fill := strings.NewReplacer("{project_id}", srv.ProjectID, "{organization_id}", srv.OrganizationID, "{id}", id)
			check := conformance{doc, op}
			a := c.do(op.Method, fill.Replace(op.Path), body)
			operation := doc.Paths.Value(op.Path).GetOperation(op.Method)
			reference, noted := operation.Responses.Status(http.StatusOK), false

			var shape any
			if reference != nil {
				shape, noted = reference.Value.Extensions["x-hosted-body"]
			}

			switch {
			case op.Scope == "":
				check.validate(t, a, false)
			case noted:
				named, err := json.Marshal(shape)
				require.NoError(t, err)
				var ref struct {
					Ref string `json:"$ref"`
				}
				require.NoError(t, json.Unmarshal(named, &ref))
				schema := doc.Components.Schemas[strings.TrimPrefix(ref.Ref, "#/components/schemas/")]
				require.NotNil(t, schema, ref.Ref)
				assert.NoError(t, schema.Value.VisitJSON(plain(t, a)), a.body)
			default:
				check.validate(t, a, true)
			}

			check.validate(t, c.with("Authorization", "").do(op.Method, fill.Replace(op.Path), body), false)
		})
	}
}

// plain decodes a body as validators expect it.
func plain(t *testing.T, a answer) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.is(http.StatusOK).body), &o), a.body)
	return o
}

// anyMeansNullToo lets the keys that a schema does not name be null. They are raw JSON
// to the code, and in the language of the document null is not among any values.
func anyMeansNullToo(schema *openapi3.SchemaRef) {
	if schema.Ref == "" && schema.Value.AdditionalProperties.Schema != nil {
		schema.Value.AdditionalProperties.Schema.Value.Nullable = true
	}
	for _, property := range schema.Value.Properties {
		if property.Ref == "" {
			anyMeansNullToo(property)
		}
	}
}
