package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-version"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/terraformcli"
)

// The oldest versions that load the provider with its functions.
var oldestCLI = map[string]*version.Version{
	"Terraform": version.Must(version.NewVersion("1.8.0")),
	"OpenTofu":  version.Must(version.NewVersion("1.7.0")),
}

// checkCLI checks the program that plans, and the provider that the working directory has.
func (d *doctor) checkCLI(ctx context.Context) {
	cli, err := terraformcli.Find(d.program.flags.terraform, nil)
	if err != nil {
		d.warn("CLI", "%v: export --verify, pull and diff need it", err)
		return
	}
	about, err := cli.About(ctx, ".")
	if err != nil {
		d.fail("CLI", "%v", err)
		return
	}

	if oldest := oldestCLI[about.Product]; about.Version.Core().LessThan(oldest) {
		d.fail("CLI", "%s is %s %s: the provider needs %s or later", cli.Path, about.Product, about.Version, oldest)
	} else {
		d.ok("CLI", "%s is %s %s", cli.Path, about.Product, about.Version)
	}
	d.checkProvider(about)
}

// checkProvider reports the provider that terraform init installed here. The verbs of
// posthog-sync plan with their own, whatever is installed.
func (d *doctor) checkProvider(about terraformcli.About) {
	files, _ := filepath.Glob("*.tf")
	switch {
	case about.Provider != nil:
		d.ok("provider", "%s is installed here; posthog-sync %s plans with its own", about.Provider, d.program.version)
	case len(files) == 0:
		dir, _ := os.Getwd()
		d.ok("provider", "not needed: there is no configuration in %s", dir)
	default:
		d.warn("provider", "not installed here: run %s init before you plan yourself; posthog-sync plans with its own", about.Command)
	}
}
