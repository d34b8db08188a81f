package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-version"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfcli"
)

// oldestPlanner contains the minimum versions that support provider functions.
var oldestPlanner = map[string]*version.Version{
	"Terraform": version.Must(version.NewVersion("1.8.0")),
	"OpenTofu":  version.Must(version.NewVersion("1.7.0")),
}

// CheckPlanner checks the Terraform or OpenTofu program that plans, and the provider in the working
// directory. program is the program's name or path. If it is empty, CheckPlanner searches PATH.
// providerVersion is the version of this build.
func CheckPlanner(ctx context.Context, program, providerVersion string) []audience.Finding {
	var f findings
	tf, err := tfcli.Find(program, nil)
	if err != nil {
		f.warn("CLI", "%v: export --verify, pull, and diff require it", err)
		return f
	}
	about, err := tf.About(ctx, ".")
	if err != nil {
		f.fail("CLI", "%v", err)
		return f
	}

	text := fmt.Sprintf("%s is %s %s", tf.Path, about.Product, about.Version)
	if oldest := oldestPlanner[about.Product]; about.Version.Core().LessThan(oldest) {
		f.fail("CLI", "%s: the provider needs %s or later", text, oldest)
	} else {
		f.ok("CLI", "%s", text)
	}

	// posthog-sync plans with its own provider, even if terraform init installed a different version in
	// this directory.
	files, _ := filepath.Glob("*.tf")
	switch {
	case about.Provider != nil:
		f.ok("provider", "version %s is installed in this directory; posthog-sync (%s) plans with the provider that is built into it", about.Provider, providerVersion)
	case len(files) == 0:
		dir, _ := os.Getwd()
		f.ok("provider", "not needed: %s does not contain a configuration", dir)
	default:
		f.warn("provider", "not installed here: run %s init before you plan yourself; posthog-sync plans with the provider that is built into it", about.Command)
	}
	return f
}
