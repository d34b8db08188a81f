package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestServiceOverHTTP covers what the server adds to the responses of package service. The rules are tested there.
func TestServiceOverHTTP(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	path := c.newSurvey(`{"name":"S","type":"popover"}`)

	head, get := c.do(http.MethodHead, surveys, "").is(http.StatusOK), c.get(surveys)
	assert.Empty(t, head.body)
	assert.Equal(t, get.header.Get("Content-Length"), head.header.Get("Content-Length"))
	assert.Equal(t, `Bearer resource_metadata="`+srv.URL+`/.well-known/oauth-protected-resource"`,
		c.as("phx_unknown").get(surveys).is(http.StatusUnauthorized).header.Get("WWW-Authenticate"))

	environments := strings.NewReplacer("/projects/", "/environments/")
	old := c.get(environments.Replace(path)).is(http.StatusOK)
	assert.NotEmpty(t, old.header.Get("Deprecation"))
	assert.NotEmpty(t, old.header.Get("Sunset"))
	assert.Empty(t, c.get(path).header.Get("Sunset"))
	c.get("/api/environments/1/").is(http.StatusOK)
	c.get("/api/environments/1/feature_flags/").fails(http.StatusNotFound, "not_found", "", "Endpoint not found.")

	c.post(surveys, `{"name":"`+strings.Repeat("x", 21<<20)+`"}`).is(http.StatusRequestEntityTooLarge)
	assert.NotEmpty(t, c.patch(path, `{"appearance":{"surveyPopupDelaySeconds":"5"}}`).is(http.StatusInternalServerError).object()["error_event_id"])
}
