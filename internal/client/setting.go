package client

import "strings"

// Variable is the environment variable of a setting of the provider block: POSTHOG_CA_CERT
// for ca_cert.
func Variable(setting string) string { return "POSTHOG_" + strings.ToUpper(setting) }

// SettingError is a setting that cannot be used. It never repeats a value that may be a
// secret, or a key in its place.
type SettingError struct {
	// Setting is its name in the provider block.
	Setting string
	// Reason says what is wrong with it, as the rest of a sentence.
	Reason string
}

// Error implements error.
func (e *SettingError) Error() string {
	return e.Setting + " (" + Variable(e.Setting) + ") " + e.Reason
}
