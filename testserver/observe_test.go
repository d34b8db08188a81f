package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func TestObserve(t *testing.T) {
	t.Parallel()
	type seen struct {
		method, path, operation string
		status                  int
		body                    string
		fault                   bool
	}
	var all []seen
	srv := testserver.Start(t, testserver.Options{Observe: func(e testserver.Exchange) {
		assert.Equal(t, "application/json", e.Header.Get("Content-Type"))
		all = append(all, seen{e.Method, e.Path, e.Operation, e.Status, string(e.Body), e.Fault})
	}})
	c := call(t, srv).undocumentedAnswers()

	created := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
	elsewhere := c.get("/api/nothing/").is(http.StatusNotFound)
	srv.SetFaults(testserver.Fault{Status: http.StatusServiceUnavailable})
	failed := c.get(surveys).is(http.StatusServiceUnavailable)

	assert.Equal(t, []seen{
		{http.MethodPost, surveys, "surveys_create", http.StatusCreated, created.body, false},
		{http.MethodGet, "/api/nothing/", "", http.StatusNotFound, elsewhere.body, false},
		{http.MethodGet, surveys, "surveys_list", http.StatusServiceUnavailable, failed.body, true},
	}, all)
}
