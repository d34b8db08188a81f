package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// onlyImports reads a plan as "show -json" prints it, and fails unless it imports
// the object at address and changes nothing, neither there nor anywhere else.
func onlyImports(document, address string) error {
	var plan struct {
		Changes []struct {
			Address string
			Change  struct {
				Actions   []string
				Importing *struct{ ID string }
			}
		} `json:"resource_changes"`
	}

	if err := json.Unmarshal([]byte(document), &plan); err != nil {
		return fmt.Errorf("the plan cannot be read: %w", err)
	}

	imported := false
	for _, planned := range plan.Changes {
		if !slices.Equal(planned.Change.Actions, []string{"no-op"}) {
			return fmt.Errorf("the plan would also %v %s", planned.Change.Actions, planned.Address)
		}
		imported = imported || planned.Address == address && planned.Change.Importing != nil
	}

	if !imported {
		return fmt.Errorf("the plan does not import %s", address)
	}
	return nil
}
