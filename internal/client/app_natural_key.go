package client

import (
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// hasNaturalKey reports whether a found app may be the one to create: by its address, or
// by its name where one of them has no address.
func hasNaturalKey(found api.PipelineImportApp, body api.PipelineImportAppRequest) bool {
	address, _ := body.URL.Get()
	if foundAddress, err := found.URL.Get(); err == nil && address != "" {
		return withoutQuery(foundAddress) == withoutQuery(address)
	}

	name, _ := body.Name.Get()
	foundName, _ := found.Name.Get()
	return strings.TrimSpace(foundName) == strings.TrimSpace(name)
}

// withoutQuery is an address as the service shows it: a query may hold a token.
func withoutQuery(address string) string {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	return address
}

// fieldsFromCode are the fields that the service fills from the code at the address.
func fieldsFromCode(address string) []string {
	if address == "" {
		return nil
	}
	return []string{"url", "name", "description", "icon", "tag", "config_schema", "public_jobs", "capabilities", "metrics", "plugin_type"}
}

// isURLConflict reports whether an app from the address is installed, in this
// organization or another.
func isURLConflict(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && strings.HasSuffix(strings.TrimSuffix(e.Detail, "!"), "already installed")
}
