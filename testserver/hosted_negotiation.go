package testserver

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// parsers are the media types of bodies that the hosted service reads.
var parsers = []string{jsonContent[0], formContent, multipartContent}

// checkAccept refuses a request whose Accept header excludes JSON. The service checks it
// before the key.
func checkAccept(r *http.Request) *field.Failure {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return nil
	}
	for part := range strings.SplitSeq(accept, ",") {
		media, _, err := mime.ParseMediaType(part)
		if err == nil && slices.Contains([]string{"*/*", "application/*", jsonContent[0]}, media) {
			return nil
		}
	}
	return &field.Failure{
		Status: http.StatusNotAcceptable, Kind: "invalid_request", Code: "not_acceptable",
		Detail: "Could not satisfy the request Accept header.",
	}
}

// describe is the response to OPTIONS: the name of a path and its media types.
func (x *exchange) describe(r *route) response {
	names := map[string]string{
		"survey": "Survey", "plugin": "Pipeline Import Apps", "feature_flag": "Feature Flag",
		"project": "Project", "user": "User",
	}
	form := " List"
	if slices.Contains(r.segments, "{id}") || len(r.segments) == 3 {
		form = " Instance"
	}
	described := x.withObject(rawjson.Pairs{
		{Name: "name", Value: rawjson.Quote(names[r.object()] + form)},
		{Name: "description", Value: rawjson.Quote("")},
		{Name: "renders", Value: rawjson.Encode([]string{jsonContent[0]})},
		{Name: "parses", Value: rawjson.Encode(parsers)},
	})
	described.header = http.Header{"Allow": {r.allow() + ", HEAD, OPTIONS"}}
	return described
}
