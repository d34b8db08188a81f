package side

import (
	"maps"
	"regexp"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
)

// moduleStep is a module in the address of another one, with the key of its instance.
var moduleStep = regexp.MustCompile(`module\.([^.\[]+)(?:\["(?:[^"\\]|\\.)*"\]|\[\d+\])?`)

// configuredAttributes are the attributes that the configuration of a plan sets in a
// resource, sorted; nil where the plan has no such configuration.
func configuredAttributes(config *tfjson.Config, change *tfjson.ResourceChange) []string {
	if config == nil {
		return nil
	}
	module := config.RootModule
	for _, step := range moduleStep.FindAllStringSubmatch(change.ModuleAddress, -1) {
		if module == nil || module.ModuleCalls[step[1]] == nil {
			return nil
		}
		module = module.ModuleCalls[step[1]].Module
	}
	if module == nil {
		return nil
	}

	for _, resource := range module.Resources {
		if resource.Type == change.Type && resource.Name == change.Name && resource.Mode == tfjson.ManagedResourceMode {
			return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(resource.Expressions))))
		}
	}
	return nil
}
