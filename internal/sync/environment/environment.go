// Package environment finds the environments that posthog-sync works on: the PostHog instance, the
// project, and the organization, from posthog-sync.yaml or the provider's environment variables. It
// decides which variable contains the API key, and whether the key may be sent to a host. It never
// stores the key, and sends no requests. Start at Find.
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
	// Insecure allows plain http to another machine.
	Insecure bool
	// File is the path of the file that describes it; empty for the variables.
	File string
}

// FromVariables is the environment that the variables of the provider describe.
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

// paced takes the bound of the pace from its variable, which counts for every
// environment: set it where several processes share a key.
func (e Environment) paced(getenv func(string) string) (Environment, error) {
	text := getenv("POSTHOG_REQUESTS_PER_MINUTE")
	if text == "" {
		return e, nil
	}
	pace, err := strconv.Atoi(text)
	if err != nil || pace < 0 {
		// Without the value: it may be the key that somebody put there by mistake.
		return e, errors.New("POSTHOG_REQUESTS_PER_MINUTE must be a whole number, or 0 for no limit")
	}
	e.RequestsPerMinute = pace
	return e, nil
}

// Options are those of a client of the environment; the caller adds its user agent,
// clock and transport.
func (e Environment) Options(getenv func(string) string) (client.Options, error) {
	key := getenv(e.APIKeyVariable)
	if key == "" {
		return client.Options{}, fmt.Errorf("environment %q: the variable %s is not set. Set it to a personal API key",
			e.Name, e.APIKeyVariable)
	}
	if err := e.checkKey(key); err != nil {
		return client.Options{}, err
	}

	// Ids are in messages, so a key in place of one would be too.
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

// Variables are the settings of the provider that make it work on the environment,
// the key among them: for the environment of a child process, never for a file or
// an argument.
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

// keyPrefixes are how personal API keys and those of projects begin.
var keyPrefixes = []string{"phx_", "phs_"}

// checkKey refuses a value that is no key of the service: a file may name any variable,
// and would send its value to any host. POSTHOG_API_KEY holds nothing else, so that older
// keys without a prefix are taken from there.
func (e Environment) checkKey(key string) error {
	isKey := slices.ContainsFunc(keyPrefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	if isKey || e.APIKeyVariable == defaultKeyVariable {
		return nil
	}
	return fmt.Errorf("environment %q: the value of %s does not start with %s, so it is not sent as an API key to %s. "+
		"Check api_key_variable in %s, or put the key into %s", e.Name, e.APIKeyVariable, strings.Join(keyPrefixes, " or "), e.host(), e.File, defaultKeyVariable)
}

// Notices are lines for the user before the first request: where a file takes the place
// of variables that are set, and that a key is sent without encryption.
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
			"Instead, set ca_cert to the certificate of its authority.", e.host()))
	}
	return notices
}

// overridden are the variables that are set, and to something else than the file says.
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

// host is the host of the address, without a user and a password that it may have.
func (e Environment) host() string {
	parsed, err := url.Parse(e.BaseURL)
	if err != nil || parsed.Host == "" {
		return "the URL in base_url"
	}
	return parsed.Scheme + "://" + parsed.Host
}

// skipVerify is the name of the setting that takes any certificate.
const skipVerify = "insecure_skip_verify"

// privateTLS are the settings of a private service, which the variables have for all
// environments: PEM text, or the paths of files with it.
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
			// Without the value: it may be the key that somebody put there by mistake.
			return private, &client.SettingError{Setting: skipVerify, Reason: "must be true or false"}
		}
		private.InsecureSkipVerify = skip
	}
	return private, nil
}
