// Package reach decides whether the filters of a feature flag can match anybody at all. It
// claims only what is certain of every person: that no value of a property fits, or that
// nobody is let in. Who does match is for the service to decide.
package reach

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Nobody reports whether it is certain that filters match nobody, and why. Filters are
// decoded JSON with numbers as json.Number.
func Nobody(filters any) (why string, certain bool) {
	fields, _ := filters.(map[string]any)
	groups, ok := fields["groups"].([]any)
	if !ok || letsOthersIn(fields) {
		return "", false
	}
	if len(groups) == 0 {
		return "groups is empty", true
	}

	var reasons []string
	for i, element := range groups {
		group, ok := element.(map[string]any)
		if !ok {
			return "", false
		}
		reason := emptyGroup(group, fields["aggregation_group_type_index"])
		if reason == "" {
			return "", false
		}
		reasons = append(reasons, fmt.Sprintf("groups[%d]: %s", i, reason))
	}
	return strings.Join(reasons, "; "), true
}

// letsOthersIn reports whether filters let people in besides their groups: those who chose
// an early access feature, and those who are held out of experiments.
func letsOthersIn(filters map[string]any) bool {
	for _, key := range []string{"super_groups", "feature_enrollment", "holdout", "holdout_groups"} {
		if value := filters[key]; !jsonvalue.IsEmpty(value) && value != false {
			return true
		}
	}
	return false
}

// emptyGroup says why a group matches nobody; empty when it may match somebody. common is
// the group type of the flag.
func emptyGroup(group map[string]any, common any) string {
	if rollout, ok := group["rollout_percentage"].(json.Number); ok {
		if share, err := rollout.Float64(); err == nil && share <= 0 {
			return fmt.Sprintf("rollout_percentage is %s", rollout)
		}
	}
	if own, ok := group["aggregation_group_type_index"]; ok {
		common = own
	}

	list, _ := group["properties"].([]any)
	var properties []property
	for _, element := range list {
		p, ok := propertyOf(element, common)
		if !ok {
			continue
		}
		if reason := p.impossible(); reason != "" {
			return reason
		}
		for _, other := range properties {
			if reason := conflict(other, p); reason != "" {
				return reason
			}
		}
		properties = append(properties, p)
	}
	return ""
}
