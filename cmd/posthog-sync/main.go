// Command posthog-sync keeps PostHog surveys and pipeline import apps in sync with code.
package main

import (
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli"
)

// version is set by the release build.
var version = "dev"

func main() { os.Exit(cli.Main(version, os.Args[1:])) }
