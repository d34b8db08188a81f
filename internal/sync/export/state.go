package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// AddResource adds an object in a state to managed.
func AddResource(managed map[code.Key]bool, resource *tfjson.StateResource) error {
	if resource.Mode != tfjson.ManagedResourceMode || resource.Type != code.SurveyType && resource.Type != code.AppType {
		return nil
	}
	if !code.IsProviderSource(resource.ProviderName) {
		return tfplan.OtherProvider("state", resource.Address, resource.ProviderName)
	}

	values := resource.AttributeValues
	managed[resourceKey(resource.Type, values["project_id"], values["organization_id"], values["id"])] = true
	return nil
}

// CheckState returns an error if a local state contains another provider's surveys, because Terraform
// cannot show such a state without that provider.
func CheckState(dir string) error {
	resources, err := localState(dir)
	if err != nil {
		return err
	}
	for _, resource := range resources {
		source := resource.source()
		if !code.IsProviderSource(source) {
			return tfplan.OtherProvider("state", resource.Type+"."+resource.Name, source)
		}
	}
	return nil
}

// ManagedAddresses maps objects to the addresses at which the local state of a directory manages them.
func ManagedAddresses(dir string) (map[code.Key]string, error) {
	resources, err := localState(dir)
	if err != nil {
		return nil, err
	}

	addresses := map[code.Key]string{}
	for _, resource := range resources {
		if resource.Mode != string(tfjson.ManagedResourceMode) || !code.IsProviderSource(resource.source()) {
			continue
		}
		address := strings.TrimPrefix(resource.Module+"."+resource.Type+"."+resource.Name, ".")
		for _, instance := range resource.Instances {
			attributes := instance.Attributes
			addresses[resourceKey(resource.Type, attributes.ProjectID, attributes.OrganizationID, attributes.ID)] = address
		}
	}
	return addresses, nil
}

// stateResource is a survey or import app in a state file.
type stateResource struct {
	Module, Mode, Type, Name, Provider string
	Instances                          []struct {
		Attributes struct {
			ID             any
			ProjectID      any `json:"project_id"`
			OrganizationID any `json:"organization_id"`
		}
	}
}

// source returns the source address of the provider that manages a resource. The state contains the
// address in the form module.m.provider["SOURCE"].alias.
func (r stateResource) source() string {
	_, source, _ := strings.Cut(r.Provider, `["`)
	source, _, _ = strings.Cut(source, `"]`)
	return source
}

// localState returns the surveys and import apps in the local state of a directory. Only Terraform itself
// can read a remote state.
func localState(dir string) ([]stateResource, error) {
	path := filepath.Join(dir, "terraform.tfstate")
	err := code.CheckSource(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path) //nolint:gosec // the directory that the user named
	if err != nil {
		return nil, err
	}

	var state struct{ Resources []stateResource }
	if err := jsonvalue.Unmarshal(text, &state); err != nil {
		return nil, fmt.Errorf("%s is not a Terraform state: %w", path, err)
	}
	return slices.DeleteFunc(state.Resources, func(r stateResource) bool {
		return r.Type != code.SurveyType && r.Type != code.AppType
	}), nil
}

// CheckTwice returns an error if two resources in a plan manage the same object. Each resource's apply would
// undo the other's, and destroying either resource would delete their common object.
func CheckTwice(changes []*tfjson.ResourceChange) error {
	managed := map[code.Key]string{}
	for _, change := range changes {
		if change.Change == nil || change.Type != code.SurveyType && change.Type != code.AppType {
			continue
		}
		values, _ := change.Change.After.(map[string]any)
		if values["id"] == nil {
			continue // created or deleted
		}

		key := resourceKey(change.Type, values["project_id"], values["organization_id"], values["id"])
		if address, ok := managed[key]; ok {
			return fmt.Errorf("%s and %s manage %s %s: keep only one of them. To remove one from the state, run terraform state rm ADDRESS",
				address, change.Address, kindNoun(change.Type), key.ImportID)
		}
		managed[key] = change.Address
	}
	return nil
}

// resourceKey returns the key of an object from the attributes of its resource.
func resourceKey(typ string, projectID, organizationID, id any) code.Key {
	parent := projectID
	if typ == code.AppType {
		parent = organizationID
	}
	return code.Key{Type: typ, ImportID: fmt.Sprintf("%v/%v", parent, id)}
}
