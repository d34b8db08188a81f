// The provider posthog for Terraform and OpenTofu: surveys and pipeline import
// apps as code.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// version is set by the release build.
var version = "dev"

func main() {
	posthog.CollectLess()
	posthog.RedactLog()
	debug := flag.Bool("debug", false, "wait for a debugger, and print how Terraform can attach to this process")
	flag.Parse()
	serve := serveOnce
	if *debug {
		serve = serveDebugger
	}
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

// serveOnce serves one run of Terraform, as Terraform starts it.
func serveOnce() error {
	server, err := posthog.NewServer(posthog.New(version))
	if err != nil {
		return err
	}
	return tf6server.Serve(posthog.Address, func() tfprotov6.ProviderServer { return server })
}

// serveDebugger serves any number of runs, with the framework alone: a breakpoint is
// reached also where nothing changed.
func serveDebugger() error {
	return providerserver.Serve(context.Background(), func() provider.Provider { return posthog.New(version) },
		providerserver.ServeOpts{Address: posthog.Address, Debug: true})
}
