package environment

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/pemfile"
)

// skipVerify is the name of the setting that takes any certificate.
const skipVerify = "insecure_skip_verify"

// tlsSetting is a setting that is PEM text, or the path of a file with it.
type tlsSetting struct {
	name  string
	value *string
}

// tlsSettings are those of an environment, under their names in the file and in the provider.
func (e *Environment) tlsSettings() []tlsSetting {
	return []tlsSetting{{"ca_cert", &e.CACert}, {"client_cert", &e.ClientCert}, {"client_key", &e.ClientKey}}
}

// withTLS takes from the variables what the file does not say. The certificate of a client
// and its key come from one place. Written is insecure_skip_verify of the file; nil for none.
func (e Environment) withTLS(written *bool, getenv func(string) string) (Environment, error) {
	hasPair := e.ClientCert != "" || e.ClientKey != ""
	for _, s := range e.tlsSettings() {
		if *s.value == "" && (s.name == "ca_cert" || !hasPair) {
			*s.value = getenv(client.Variable(s.name))
		}
	}

	text := getenv(client.Variable(skipVerify))
	if written != nil || text == "" {
		e.InsecureSkipVerify = written != nil && *written
		return e, nil
	}
	skip, err := strconv.ParseBool(text)
	if err != nil {
		// Without the value: it may be the key that somebody put there by mistake.
		return e, &client.SettingError{Setting: skipVerify, Reason: "must be true or false"}
	}
	e.InsecureSkipVerify = skip
	return e, nil
}

// tls reads the files of the settings.
func (e Environment) tls() (client.TLS, error) {
	private := client.TLS{InsecureSkipVerify: e.InsecureSkipVerify}
	into := map[string]*string{"ca_cert": &private.CACert, "client_cert": &private.ClientCert, "client_key": &private.ClientKey}
	for _, s := range e.tlsSettings() {
		text, err := pemfile.Text(*s.value, "")
		if err != nil {
			return private, &client.SettingError{Setting: s.name, Reason: err.Error()}
		}
		*into[s.name] = text
	}
	return private, nil
}
