package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// schemaPath is the path of the hosted service's OpenAPI document.
const schemaPath = "/api/schema/"

// Media types of OpenAPI documents.
const (
	openAPIYAML = "application/vnd.oai.openapi"
	openAPIJSON = "application/vnd.oai.openapi+json"
)

// getDocument responds with the OpenAPI document of the interface, as YAML.
func (c control) getDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", openAPIYAML)
	// If this fails the client has gone, and there is no one to report it to.
	_, _ = w.Write(api.Document())
}

// serveSchema serves the document at the path of the hosted service's own, and like it:
// without a key, as YAML or JSON.
func (c control) serveSchema(w http.ResponseWriter, r *http.Request) {
	c.setDate(w)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		writeFailure(w, field.MethodNotAllowed(r.Method, "GET, HEAD"))
		return
	}
	switch format := r.URL.Query().Get("format"); {
	case format != "" && format != "json" && format != "yaml":
		writeFailure(w, field.NotFound("The document is there with format yaml or json."))
	case format == "json", format == "" && strings.Contains(r.Header.Get("Accept"), "json"):
		document, err := json.Marshal(api.DocumentValue())
		if err != nil {
			panic(fmt.Sprintf("testserver: the document is no JSON: %v", err))
		}
		w.Header().Set("Content-Type", openAPIJSON)
		_, _ = w.Write(document)
	default:
		c.getDocument(w, r)
	}
}

// getHealth responds that the server is up. It takes no lock, so that it also responds while
// the server loads a large document.
func (c control) getHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	_, _ = w.Write(append(rawjson.Encode(struct {
		Status   string  `json:"status"`
		Profile  Profile `json:"profile"`
		Worlds   int     `json:"worlds"`
		Requests int64   `json:"requests"`
	}{"ok", c.server.profile.traits().name, len(c.server.Worlds()), c.server.requests.Load()}), '\n'))
}
