package tfcli

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/mitchellh/go-testing-interface"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// ProviderAddresses contains the addresses that Terraform and OpenTofu derive from the source
// surveys-as-code/posthog.
var ProviderAddresses = []string{provider.Address, "registry.opentofu.org/surveys-as-code/posthog"}

// serveTimeout limits the time until the provider starts to listen.
const serveTimeout = 10 * time.Second

// ServeProvider serves a provider for all its addresses until stop is called. It returns the variable that
// makes Terraform or OpenTofu attach to the provider.
func ServeProvider(ctx context.Context, server tfprotov6.ProviderServer, addresses ...string) (attach tfexec.ReattachInfo, stop func(), err error) {
	// An interrupt must not stop the server, because the program needs the provider for a clean shutdown.
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	listening, closed := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(addresses[0], func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(serving, listening, closed),
			tf6server.WithGoPluginLogger(hclog.NewNullLogger()),
			// TF_LOG and TF_LOG_PATH control logging. If neither is set, nothing is logged.
			tf6server.WithLoggingSink(&testing.RuntimeT{}))
	}()
	stop = func() {
		cancel()
		<-closed
	}

	select {
	case config := <-listening:
		return attachTo(config, addresses), stop, nil
	case err := <-failed:
		cancel()
		return nil, nil, errors.Join(errors.New("could not serve the provider"), err)
	case <-time.After(serveTimeout):
		cancel()
		return nil, nil, errors.New("could not serve the provider: it did not start listening in time")
	}
}

// attachTo returns the value of the variable that makes a program attach to the server for each address.
func attachTo(config *plugin.ReattachConfig, addresses []string) tfexec.ReattachInfo {
	info := tfexec.ReattachInfo{}
	for _, address := range addresses {
		info[address] = tfexec.ReattachConfig{
			Protocol:        string(config.Protocol),
			ProtocolVersion: config.ProtocolVersion,
			Pid:             config.Pid,
			// The program does not stop this process when it ends.
			Test: true,
			Addr: tfexec.ReattachConfigAddr{Network: config.Addr.Network(), String: config.Addr.String()},
		}
	}
	return info
}
