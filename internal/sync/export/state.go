package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// Managed are the objects that a state manages.
func Managed(state *tfjson.State) (map[exportdir.Key]bool, error) {
	managed := map[exportdir.Key]bool{}
	return managed, addManaged(state.Values.RootModule, managed)
}

// addManaged adds the objects of a module and of its child modules.
func addManaged(module *tfjson.StateModule, managed map[exportdir.Key]bool) error {
	if module == nil {
		return nil
	}

	for _, resource := range module.Resources {
		if resource.Mode != tfjson.ManagedResourceMode || resource.Type != hclfile.SurveyType && resource.Type != hclfile.AppType {
			continue
		}
		if !hclfile.IsProviderSource(resource.ProviderName) {
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
		if err := addManaged(child, managed); err != nil {
			return err
		}
	}
	return nil
}

// CheckState refuses a local state with surveys of another provider: the CLI cannot
// show it without that provider.
func CheckState(dir string) error {
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
		if isOurs && !hclfile.IsProviderSource(source) && !strings.Contains(source, `"]`) {
			return otherProvider(resource.Type+"."+resource.Name, source)
		}
	}
	return nil
}

func otherProvider(address, source string) error {
	return fmt.Errorf("the state manages %s with the provider %s, and not with %s: "+
		"move it first with \"terraform state replace-provider %s %s\"", address, source, hclfile.ProviderSource, source, hclfile.ProviderSource)
}
