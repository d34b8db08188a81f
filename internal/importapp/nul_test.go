package importapp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// PostHog's database cannot store the character NUL, so a plan refuses it. The error contains no value, which may be a
// token.
func TestTextsWithNUL(t *testing.T) {
	t.Parallel()
	app := acctest.Start(t).Resource(t, typeName)
	for place, config := range map[string]object{
		"name":                  {"name": "Orders\x00"},
		"description":           {"description": "\x00"},
		"icon":                  {"icon": "https://example.com/\x00"},
		"tag":                   {"tag": "v1\x00"},
		"url":                   {"url": "https://example.com/\x00"},
		"url_query":             {"url": "https://example.com/", "url_query": "token=t0k3n\x00"},
		"url_query_wo":          {"url": "https://example.com/", "url_query_wo": "token=t0k3n\x00", "url_query_wo_version": 1},
		"config_schema[0].name": {"config_schema": `[{"key":"k","name":"x\u0000","type":"string"}]`},
		"metrics.n\\x00":        {"metrics": `{"n\u0000":"sum"}`},
		"public_jobs.j.t":       {"public_jobs": `{"j":{"t":"\u0000"}}`},
	} {
		want := place + " contains the character NUL (U+0000), which PostHog cannot store. Remove it."
		for command, errors := range map[string]string{
			"validate": app.Validate(config).Errors().Text(), "plan": app.Plan(config).Diagnostics.Errors().Text(),
		} {
			assert.Contains(t, errors, want, "terraform %s", command)
			assert.NotContains(t, errors, "t0k3n", "terraform %s", command)
		}
	}
}
