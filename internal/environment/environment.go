// Package environment says which service, project and organization a command works
// on: the environments of posthog-sync.yaml, or the one that the variables of the
// provider describe. It makes no request.
package environment

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// DefaultName is the name of the environment that exists without a file.
const DefaultName = "default"

// defaultBaseURL is the address when nothing names one, as in the provider.
const defaultBaseURL = "https://us.posthog.com"

// defaultKeyVariable holds the API key when an environment names no other variable.
const defaultKeyVariable = "POSTHOG_API_KEY"

// Environment is one service with one project and one organization. It names the
// variable of the API key, and never holds the key itself.
type Environment struct {
	Name    string
	BaseURL string
	// ProjectID is that of the surveys; empty when the environment has import apps
	// alone.
	ProjectID string
	// OrganizationID is that of the import apps; empty when the environment has
	// surveys alone.
	OrganizationID string
	// APIKeyVariable is the name of the environment variable that holds the key.
	APIKeyVariable string
	// RequestsPerMinute bounds the pace; 0 leaves it to the service.
	RequestsPerMinute int
}

// FromVariables is the environment that the variables of the provider describe.
func FromVariables(getenv func(string) string) (Environment, error) {
	e := Environment{
		Name:           DefaultName,
		BaseURL:        first(getenv("POSTHOG_BASE_URL"), getenv("POSTHOG_HOST"), defaultBaseURL),
		ProjectID:      getenv("POSTHOG_PROJECT_ID"),
		OrganizationID: getenv("POSTHOG_ORGANIZATION_ID"),
		APIKeyVariable: defaultKeyVariable,
	}
	return e.paced(getenv)
}

// paced takes the bound of the pace from its variable, which counts for every
// environment: set it where several processes share a key.
func (e Environment) paced(getenv func(string) string) (Environment, error) {
	text := getenv("POSTHOG_REQUESTS_PER_MINUTE")
	if text == "" {
		return e, nil
	}
	pace, err := strconv.Atoi(text)
	if err != nil || pace < 0 {
		return e, fmt.Errorf("POSTHOG_REQUESTS_PER_MINUTE is %q: it must be a whole number, 0 for no bound", text)
	}
	e.RequestsPerMinute = pace
	return e, nil
}

// Options are those of a client of the environment; the caller adds its user agent,
// clock and transport.
func (e Environment) Options(getenv func(string) string) (client.Options, error) {
	key := getenv(e.APIKeyVariable)
	if key == "" {
		return client.Options{}, fmt.Errorf("environment %q: the variable %s is not set: set it to a personal API key",
			e.Name, e.APIKeyVariable)
	}
	// Ids are in messages, so a key in place of one would be too.
	for setting, value := range map[string]string{"project_id": e.ProjectID, "organization_id": e.OrganizationID, "base_url": e.BaseURL} {
		if strings.Contains(value, key) {
			return client.Options{}, fmt.Errorf("environment %q: %s holds the API key: were the two swapped?", e.Name, setting)
		}
	}
	headers, err := client.ParseHeaders(getenv(client.HeadersVariable))
	if err != nil {
		return client.Options{}, err
	}
	return client.Options{BaseURL: e.BaseURL, APIKey: key, Headers: headers, RequestsPerMinute: e.RequestsPerMinute}, nil
}

// Variables are the settings of the provider that make it work on the environment,
// the key among them: for the environment of a child process, never for a file or
// an argument.
func (e Environment) Variables(getenv func(string) string) map[string]string {
	return map[string]string{
		"POSTHOG_BASE_URL":        e.BaseURL,
		"POSTHOG_API_KEY":         getenv(e.APIKeyVariable),
		"POSTHOG_PROJECT_ID":      e.ProjectID,
		"POSTHOG_ORGANIZATION_ID": e.OrganizationID,
	}
}

// first returns the first of the values that is not empty.
func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}
