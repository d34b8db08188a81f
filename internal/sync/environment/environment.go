// Package environment finds the environments on which posthog-sync works: the PostHog instance, the project,
// and the organization. It reads them from posthog-sync.yaml or the provider's environment variables. The
// package decides which variable contains the API key, and to which hosts the key may be sent. It never
// stores the key, and sends no requests. Start reading at [Find].
package environment

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// DefaultName is the name of the environment that is used without a file.
const DefaultName = "default"

// defaultBaseURL is the URL if no setting contains one. It is also the provider's default.
const defaultBaseURL = "https://us.posthog.com"

// defaultKeyVariable is the variable with the API key if an environment does not set another one.
const defaultKeyVariable = "POSTHOG_API_KEY"

// Environment is a project and an organization in a PostHog instance. It contains the name of the variable
// with the API key, but never the key.
type Environment struct {
	Name    string
	BaseURL string
	// ProjectID is the ID of the surveys' project. It is empty if the environment has only import apps.
	ProjectID string
	// OrganizationID is the ID of the import apps' organization. It is empty if the environment has only
	// surveys.
	OrganizationID string
	// APIKeyVariable is the name of the environment variable with the API key.
	APIKeyVariable string
	// RequestsPerMinute limits the request rate. If it is 0, PostHog's own limit applies.
	RequestsPerMinute int
	// Insecure allows requests over unencrypted HTTP to other machines.
	Insecure bool
	// File is the path of the file that defines the environment. It is empty if variables define it.
	File string
}

// FromVariables returns the environment that the provider's environment variables define.
func FromVariables(getenv func(string) string) (Environment, error) {
	e := Environment{
		Name:           DefaultName,
		BaseURL:        cmp.Or(getenv("POSTHOG_BASE_URL"), getenv("POSTHOG_HOST"), defaultBaseURL),
		ProjectID:      getenv("POSTHOG_PROJECT_ID"),
		OrganizationID: getenv("POSTHOG_ORGANIZATION_ID"),
		APIKeyVariable: defaultKeyVariable,
	}
	return e.paced(getenv)
}

// paced sets the request rate from its variable. The variable applies to all environments. Users set it if
// several processes share a key.
func (e Environment) paced(getenv func(string) string) (Environment, error) {
	text := getenv("POSTHOG_REQUESTS_PER_MINUTE")
	if text == "" {
		return e, nil
	}
	pace, err := strconv.Atoi(text)
	if err != nil || pace < 0 {
		// The error omits the value, because it may be an API key.
		return e, errors.New("POSTHOG_REQUESTS_PER_MINUTE must be a whole number, or 0 for no limit")
	}
	e.RequestsPerMinute = pace
	return e, nil
}

// Options returns the environment's client options. The caller adds the user agent, the clock, and the
// transport.
func (e Environment) Options(getenv func(string) string) (client.Options, error) {
	key := getenv(e.APIKeyVariable)
	if key == "" {
		return client.Options{}, fmt.Errorf("environment %q: the variable %s is not set. Set it to a personal API key",
			e.Name, e.APIKeyVariable)
	}
	if err := e.checkKey(key); err != nil {
		return client.Options{}, err
	}

	// Messages contain these IDs, so they would reveal an API key that a user set as an ID by mistake.
	for setting, value := range map[string]string{"project_id": e.ProjectID, "organization_id": e.OrganizationID, "base_url": e.BaseURL} {
		if strings.Contains(value, key) {
			return client.Options{}, fmt.Errorf("environment %q: %s contains the API key. Check whether the two values were swapped", e.Name, setting)
		}
	}
	headers, err := client.ParseHeaders(getenv(client.HeadersVariable))
	if err != nil {
		return client.Options{}, err
	}
	maxRetries, err := client.ParseMaxRetries(getenv(client.Variable("max_retries")))
	if err != nil {
		return client.Options{}, err
	}
	private, err := privateTLS(getenv)
	if err != nil {
		return client.Options{}, fmt.Errorf("environment %q: %w", e.Name, err)
	}

	return client.Options{
		BaseURL: e.BaseURL, APIKey: key, Headers: headers, RequestsPerMinute: e.RequestsPerMinute, MaxRetries: maxRetries, TLS: private,
		Allowed: client.Allowed{
			ProjectIDs:      client.ParseIDs(getenv(client.Variable("allowed_project_ids"))),
			OrganizationIDs: client.ParseIDs(getenv(client.Variable("allowed_organization_ids"))),
		},
	}, nil
}

// Variables returns the provider settings of the environment, including the API key. Use them only as the
// environment of a child process, never in a file or an argument.
func (e Environment) Variables(getenv func(string) string) map[string]string {
	variables := map[string]string{
		"POSTHOG_BASE_URL":        e.BaseURL,
		"POSTHOG_API_KEY":         getenv(e.APIKeyVariable),
		"POSTHOG_PROJECT_ID":      e.ProjectID,
		"POSTHOG_ORGANIZATION_ID": e.OrganizationID,
	}
	if e.RequestsPerMinute > 0 {
		variables["POSTHOG_REQUESTS_PER_MINUTE"] = strconv.Itoa(e.RequestsPerMinute)
	}
	return variables
}

// keyPrefixes contains the prefixes of personal API keys and project secret keys.
var keyPrefixes = []string{"phx_", "phs_"}

// checkKey returns an error if the value is not a PostHog API key, because a file could select any variable
// and send its value to any host. It also accepts older keys without a prefix, but only from
// POSTHOG_API_KEY, which contains only API keys.
func (e Environment) checkKey(key string) error {
	isKey := slices.ContainsFunc(keyPrefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	if isKey || e.APIKeyVariable == defaultKeyVariable {
		return nil
	}
	return fmt.Errorf("environment %q: the value of %s does not start with %s, so it is not sent as an API key to %s. "+
		"Check api_key_variable in %s, or put the key into %s", e.Name, e.APIKeyVariable, strings.Join(keyPrefixes, " or "), e.host(), e.File, defaultKeyVariable)
}

// Notices returns lines that are shown before the first request. They report settings in a file that
// override variables, and connections over which others could read the API key.
func (e Environment) Notices(getenv func(string) string) []string {
	var notices []string
	if overridden := e.overridden(getenv); len(overridden) > 0 {
		notices = append(notices, fmt.Sprintf("Environment %q of %s is used instead of %s: requests go to %s.",
			e.Name, e.File, strings.Join(overridden, ", "), e.host()))
	}
	if client.IsPlainHTTP(e.BaseURL) {
		notices = append(notices, fmt.Sprintf("Warning: the API key is sent unencrypted, so anyone on the network path to %s can read it. Use https.", e.host()))
	}
	if skips, err := strconv.ParseBool(getenv(client.Variable(skipVerify))); err == nil && skips && strings.HasPrefix(e.BaseURL, "https:") {
		notices = append(notices, fmt.Sprintf("Warning: insecure_skip_verify is set, so anyone on the network path to %s can impersonate PostHog and read the API key. "+
			"Instead, set ca_cert to the certificate of its certificate authority.", e.host()))
	}
	return notices
}

// overridden returns the variables whose values differ from the settings in the file.
func (e Environment) overridden(getenv func(string) string) []string {
	if e.File == "" {
		return nil
	}

	var names []string
	for _, value := range []struct{ variable, used string }{
		{"POSTHOG_BASE_URL", e.BaseURL}, {"POSTHOG_HOST", e.BaseURL}, {"POSTHOG_PROJECT_ID", e.ProjectID},
		{"POSTHOG_ORGANIZATION_ID", e.OrganizationID}, {defaultKeyVariable, getenv(e.APIKeyVariable)},
	} {
		if set := getenv(value.variable); set != "" && strings.TrimSuffix(set, "/") != strings.TrimSuffix(value.used, "/") {
			names = append(names, value.variable)
		}
	}
	return names
}

// host returns the host of the URL, without a user name and a password.
func (e Environment) host() string {
	parsed, err := url.Parse(e.BaseURL)
	if err != nil || parsed.Host == "" {
		return "the URL in base_url"
	}
	return parsed.Scheme + "://" + parsed.Host
}

// skipVerify is the name of the setting that disables certificate checks.
const skipVerify = "insecure_skip_verify"

// privateTLS returns the TLS settings for a private PostHog instance. The variables apply to all
// environments, and contain either PEM text or paths of PEM files.
func privateTLS(getenv func(string) string) (client.TLS, error) {
	var private client.TLS
	for _, setting := range []struct {
		name string
		into *string
	}{{"ca_cert", &private.CACert}, {"client_cert", &private.ClientCert}, {"client_key", &private.ClientKey}} {
		text, err := client.PEMText(getenv(client.Variable(setting.name)), "")
		if err != nil {
			return private, &client.SettingError{Setting: setting.name, Reason: err.Error()}
		}
		*setting.into = text
	}

	if text := getenv(client.Variable(skipVerify)); text != "" {
		skip, err := strconv.ParseBool(text)
		if err != nil {
			// The error omits the value, because it may be an API key.
			return private, &client.SettingError{Setting: skipVerify, Reason: "must be true or false"}
		}
		private.InsecureSkipVerify = skip
	}
	return private, nil
}
