package client

import (
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// route is the path of an operation in segments. Segments in braces are IDs.
type route struct {
	method   string
	segments []string
	ids      int
}

// routes maps operation IDs to the API document's routes.
var routes = sync.OnceValue(func() map[string]route {
	byOperation := map[string]route{}
	for _, o := range api.AllOperations() {
		byOperation[o.ID] = route{
			method:   o.Method,
			segments: strings.Split(strings.Trim(o.Path, "/"), "/"),
			ids:      strings.Count(o.Path, "{"),
		}
	}
	return byOperation
})

// InvalidIDError reports a request that was not sent because it contains an invalid ID.
type InvalidIDError struct {
	operation string
	reason    string
}

// Error implements error.
func (e *InvalidIDError) Error() string {
	return e.operation + ": not sent, because " + e.reason
}

// checkRoute rejects a request whose path does not match its operation. IDs come from
// configurations and command lines. An empty ID, "..", or the name of another operation would
// change what the request does. checkRoute also rejects requests about projects and organizations
// that are not allowed.
func (c *Client) checkRoute(operation string, u *url.URL) error {
	path, ok := strings.CutPrefix(u.EscapedPath(), c.base.EscapedPath())
	segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
	want := routes()[operation]
	if !ok || !want.matches(segments) {
		return &InvalidIDError{operation, fmt.Sprintf("an ID in %s is empty or contains a character that IDs cannot contain",
			c.credential.hide(oneLine(u.EscapedPath(), 200)))}
	}

	// A route with fewer IDs is more specific, and PostHog prefers it.
	for otherID, r := range routes() {
		if r.method == want.method && r.ids < want.ids && r.matches(segments) {
			return &InvalidIDError{operation, fmt.Sprintf("%q is not an ID, but the name of %s", segments[len(segments)-1], otherID)}
		}
	}
	return c.allowed.check(operation, want, segments)
}

// matches reports whether the escaped segments of a path fit the route.
func (r route) matches(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}

	for i, want := range r.segments {
		got, err := url.PathUnescape(segments[i])
		if err != nil {
			return false
		}

		isID := strings.HasPrefix(want, "{")
		if isID && !isPlainID(got) || !isID && got != want {
			return false
		}
	}
	return true
}

// isPlainID reports whether a text may be an ID: not empty, and without characters that change a
// path.
func isPlainID(text string) bool {
	return text != "" && !strings.ContainsAny(text, `/\`) && oneLine(text, len(text)) == text
}

// IsSurveyID reports whether a text is a survey ID: a UUID in its usual form. IDs become part of
// URLs, labels, and file names, so no other form is accepted from any source.
func IsSurveyID(id string) bool {
	const usual = len("00000000-0000-0000-0000-000000000000")
	return len(id) == usual && uuid.Validate(id) == nil
}

// checkID rejects a survey with an invalid ID. Apps and flags have numeric IDs, whose Go types rule
// out other values.
func (a *response) checkID(id string) error {
	if !strings.HasPrefix(a.request.Operation, "surveys_") || IsSurveyID(id) {
		return nil
	}
	return a.unusable(fmt.Sprintf("a survey whose ID is not a UUID: %q", a.clean(id, 60)))
}
