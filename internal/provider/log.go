package provider

import (
	"log"
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// RedactLog hides API keys and header values in what the standard library logs, which
// Terraform adds to its own log.
func RedactLog() { log.SetOutput(client.LogWriter(os.Stderr)) }
