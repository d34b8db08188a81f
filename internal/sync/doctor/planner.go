package doctor

import (
	"context"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-version"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/terraformcli"
)

// The oldest versions that load the provider with its functions.
var oldestPlanner = map[string]*version.Version{
	"Terraform": version.Must(version.NewVersion("1.8.0")),
	"OpenTofu":  version.Must(version.NewVersion("1.7.0")),
}

// CheckPlanner checks the program that plans, and the provider that the working directory
// has. program is its name or path; empty for the one that is found.
func CheckPlanner(ctx context.Context, program string) []Finding {
	var f findings
	tf, err := terraformcli.Find(program, nil)
	if err != nil {
		f.warn("CLI", PlannerMissing, Finding{Err: err})
		return f
	}
	about, err := tf.About(ctx, ".")
	if err != nil {
		f.fail("CLI", PlannerUnusable, Finding{Err: err})
		return f
	}

	files, _ := filepath.Glob("*.tf")
	f.planner(tf.Path, about)
	f.provider(about, len(files) > 0)
	return f
}

func (f *findings) planner(path string, about terraformcli.About) {
	data := Finding{Name: path, Value: about.Product + " " + about.Version.String()}
	if oldest := oldestPlanner[about.Product]; about.Version.Core().LessThan(oldest) {
		data.Oldest = oldest.String()
		f.fail("CLI", PlannerTooOld, data)
		return
	}
	f.ok("CLI", PlannerFits, data)
}

// provider reports the provider that terraform init installed here. posthog-sync plans with
// its own, whatever is installed.
func (f *findings) provider(about terraformcli.About, isConfigured bool) {
	switch {
	case about.Provider != nil:
		f.ok("provider", ProviderInstalled, Finding{Value: about.Provider.String()})
	case !isConfigured:
		dir, _ := os.Getwd()
		f.ok("provider", ProviderNotNeeded, Finding{Name: dir})
	default:
		f.warn("provider", ProviderMissing, Finding{Name: about.Command})
	}
}
