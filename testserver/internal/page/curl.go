package page

import (
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// maxCurlBody is the length of the longest body in a command line, below what Linux allows for
// one argument.
const maxCurlBody = 100 << 10

// Curl is the command that sends a request again. The key is that of the environment.
func Curl(method, address, contentType, body string) string {
	parts := []string{"curl"}
	if strings.ContainsAny(address, "[]{}") { // which curl takes for a pattern
		parts = append(parts, "--globoff")
	}
	switch {
	case method == "GET" && body == "":
	case method == "HEAD" && body == "":
		parts = append(parts, "--head")
	default:
		parts = append(parts, "-X "+escape.Shell(method))
	}

	parts = append(parts, escape.Shell(address), `-H "Authorization: Bearer $POSTHOG_API_KEY"`)
	if body == "" {
		return strings.Join(parts, " ")
	}
	// Without a value the header is not sent: curl has one of its own for bodies.
	parts = append(parts, "-H "+escape.Shell(strings.TrimSpace("Content-Type: "+contentType)))
	if len(body) > maxCurlBody {
		return strings.Join(append(parts, "--data-binary @body"), " ")
	}
	return strings.Join(append(parts, "--data-raw "+escape.Shell(body)), " ")
}
