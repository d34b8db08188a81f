package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// AddManaged adds an object of a state to those that it manages.
func AddManaged(managed map[code.Key]bool, resource *tfjson.StateResource) error {
	if resource.Mode != tfjson.ManagedResourceMode || resource.Type != code.SurveyType && resource.Type != code.AppType {
		return nil
	}
	if !code.IsProviderSource(resource.ProviderName) {
		return otherProvider(resource.Address, resource.ProviderName)
	}

	parent := "project_id"
	if resource.Type == code.AppType {
		parent = "organization_id"
	}
	id := fmt.Sprintf("%v/%v", resource.AttributeValues[parent], resource.AttributeValues["id"])
	managed[code.Key{Type: resource.Type, ImportID: id}] = true
	return nil
}

// CheckState refuses a local state with surveys of another provider: the CLI cannot
// show it without that provider.
func CheckState(dir string) error {
	path := filepath.Join(dir, "terraform.tfstate")
	err := code.CheckSource(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // the state is remote: the CLI reads it
	}
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path) //nolint:gosec // the directory that the user named
	if err != nil {
		return err
	}

	var state struct {
		Resources []struct{ Type, Name, Provider string }
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return fmt.Errorf("%s is not a Terraform state: %w", path, err)
	}

	for _, resource := range state.Resources {
		source := strings.TrimSuffix(strings.TrimPrefix(resource.Provider, `provider["`), `"]`)
		isOurs := resource.Type == code.SurveyType || resource.Type == code.AppType
		if isOurs && !code.IsProviderSource(source) && !strings.Contains(source, `"]`) {
			return otherProvider(resource.Type+"."+resource.Name, source)
		}
	}
	return nil
}

func otherProvider(address, source string) error {
	return fmt.Errorf("the state manages %s with the provider %s, and not with %s: "+
		"move it first with \"terraform state replace-provider %s %s\"", address, source, code.ProviderSource, source, code.ProviderSource)
}
