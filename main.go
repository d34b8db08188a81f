// The provider posthog for Terraform and OpenTofu: surveys and pipeline import
// apps as code.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// version is set by the release build.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger, and print how Terraform can attach to this process")
	flag.Parse()
	err := providerserver.Serve(context.Background(), func() provider.Provider { return posthog.New(version) },
		providerserver.ServeOpts{Address: posthog.Address, Debug: *debug})
	if err != nil {
		log.Fatal(err)
	}
}
