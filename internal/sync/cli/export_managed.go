package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// managed are the objects in the state of a directory: that of --state, else the one that
// the export is written to, if it has a state.
func (p *program) managed(ctx context.Context, e environment.Environment, stateDir, dir string) (map[exportdir.Key]bool, error) {
	managed := map[exportdir.Key]bool{}
	if stateDir == "" {
		if !hasState(dir) {
			return managed, nil
		}
		stateDir = dir
	}
	if err := checkStateProvider(stateDir); err != nil {
		return nil, err
	}

	cli, err := p.terraform(e)
	if err != nil {
		return nil, err
	}
	state, err := cli.State(ctx, stateDir)
	if err != nil {
		return nil, err
	}
	if state.Values == nil {
		return nil, fmt.Errorf("--state: %s has no state, or an empty one: without --state, everything counts as unmanaged", stateDir)
	}
	return managed, manages(state.Values.RootModule, managed)
}

// hasState reports whether a directory has a local state or is initialized for a remote one.
func hasState(dir string) bool {
	for _, name := range []string{"terraform.tfstate", filepath.Join(".terraform", "terraform.tfstate")} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// manages adds the objects of a module and of its child modules.
func manages(module *tfjson.StateModule, managed map[exportdir.Key]bool) error {
	if module == nil {
		return nil
	}

	for _, resource := range module.Resources {
		if resource.Mode != tfjson.ManagedResourceMode || resource.Type != hclfile.SurveyType && resource.Type != hclfile.AppType {
			continue
		}
		if !isProviderSource(resource.ProviderName) {
			return otherProvider(resource.Address, resource.ProviderName)
		}

		parent := "project_id"
		if resource.Type == hclfile.AppType {
			parent = "organization_id"
		}
		id := fmt.Sprintf("%v/%v", resource.AttributeValues[parent], resource.AttributeValues["id"])
		managed[exportdir.Key{Type: resource.Type, ImportID: id}] = true
	}

	for _, child := range module.ChildModules {
		if err := manages(child, managed); err != nil {
			return err
		}
	}
	return nil
}

// checkStateProvider refuses a local state with surveys of another provider: the CLI cannot
// show it without that provider.
func checkStateProvider(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate")) //nolint:gosec // the directory that the user named
	if errors.Is(err, os.ErrNotExist) {
		return nil // the state is remote: the CLI reads it
	}
	if err != nil {
		return err
	}

	var state struct {
		Resources []struct{ Type, Name, Provider string }
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return fmt.Errorf("%s is not a Terraform state: %w", filepath.Join(dir, "terraform.tfstate"), err)
	}

	for _, resource := range state.Resources {
		source := strings.TrimSuffix(strings.TrimPrefix(resource.Provider, `provider["`), `"]`)
		isOurs := resource.Type == hclfile.SurveyType || resource.Type == hclfile.AppType
		if isOurs && !isProviderSource(source) && !strings.Contains(source, `"]`) {
			return otherProvider(resource.Type+"."+resource.Name, source)
		}
	}
	return nil
}

func otherProvider(address, source string) error {
	return fmt.Errorf("the state manages %s with the provider %s, and not with %s: "+
		"move it first with \"terraform state replace-provider %s %s\"", address, source, hclfile.ProviderSource, source, hclfile.ProviderSource)
}
