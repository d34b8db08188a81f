package escape

import "strings"

// hogEscapes are the escapes of a string of Hog, the language of PostHog's destinations.
var hogEscapes = strings.NewReplacer(
	`\`, `\\`, `'`, `\'`, "\b", `\b`, "\f", `\f`, "\r", `\r`, "\n", `\n`, "\t", `\t`, "\x00", `\0`, "\a", `\a`, "\v", `\v`,
)

// Hog is a text as a string of Hog.
func Hog(text string) string { return "'" + hogEscapes.Replace(text) + "'" }
