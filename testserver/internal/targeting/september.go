package targeting

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The rules of September 2026 are switched one by one: a rule that is not enforced
// accepts what breaks it. Which of them a service enforces is not known, so a server
// has the older rules unless [Rules] says otherwise.

// ruleSettings say which rules are enforced.
type ruleSettings struct{ settings rawjson.Fields }

func settingsOf(project Project) *ruleSettings {
	settings, ok := project.Feature(Rules)
	if !ok {
		return nil
	}
	return &ruleSettings{settings}
}

// violates is the response to filters that break a rule: older without the rules of
// September 2026; with them the rule's own, or none where it is not enforced.
func (c *filterCheck) violates(rule, path, message string, older *field.Failure) *field.Failure {
	switch {
	case c.rules == nil:
		return older
	case enforces(c.rules.settings, rule):
		return refuseFiltersAs("cross_field."+rule, "%s: %s", path, message)
	}
	return nil
}

// checkForm refuses what the rules of September 2026 always refuse of the form of
// filters.
func (c *filterCheck) checkForm() *field.Failure {
	if c.rules == nil {
		return nil
	}
	if c.filters.Get("version") != nil {
		return refuseFiltersAs("reserved_config_version", "filters.version is reserved. Remove it from the request.")
	}
	for _, check := range []func() *field.Failure{c.checkGroupForms, c.checkMultivariateForm, c.checkSwitches} {
		if f := check(); f != nil {
			return f
		}
	}
	return nil
}

func (c *filterCheck) checkGroupForms() *field.Failure {
	groups := c.filters.Get("groups")
	if rawjson.IsNull(groups) {
		return nil
	}
	if !rawjson.IsArray(groups) {
		return refuseFilters("groups must be a list, got %s", python.TypeName(groups))
	}

	for i, group := range rawjson.Items(groups) {
		if !rawjson.IsObject(group) {
			return refuseFilters("groups[%d] must be a dictionary, got %s", i, python.TypeName(group))
		}

		properties := rawjson.Members(group)["properties"]
		if rawjson.IsNull(properties) {
			continue
		}
		if !rawjson.IsArray(properties) {
			return refuseFilters("%s must be a list, got %s", groupPath(i, "properties"), python.TypeName(properties))
		}

		for n, property := range rawjson.Items(properties) {
			if !rawjson.IsObject(property) {
				return refuseFilters("groups[%d].properties[%d] must be a dictionary, got %s", i, n, python.TypeName(property))
			}
		}
	}
	return nil
}

func (c *filterCheck) checkMultivariateForm() *field.Failure {
	multivariate := c.filters.Get("multivariate")
	if rawjson.IsNull(multivariate) {
		return nil
	}
	if !rawjson.IsObject(multivariate) {
		return refuseFilters("multivariate must be a dictionary or null, got %s", python.TypeName(multivariate))
	}

	variants := rawjson.Members(multivariate)["variants"]
	if variants == nil {
		return nil
	}
	if !rawjson.IsArray(variants) {
		return refuseFilters("multivariate.variants must be a list, got %s", python.TypeName(variants))
	}

	for i, variant := range rawjson.Items(variants) {
		if !rawjson.IsObject(variant) {
			return refuseFilters("multivariate.variants[%d] must be a dictionary, got %s", i, python.TypeName(variant))
		}
		if key := rawjson.Members(variant)["key"]; !rawjson.IsString(key) {
			return refuseFilters("multivariate.variants[%d].key must be a string, got %s", i, typeOrNone(key))
		}
	}
	return nil
}

// typeOrNone is the type of a value that may be absent.
func typeOrNone(raw json.RawMessage) string {
	if raw == nil {
		return "NoneType"
	}
	return python.TypeName(raw)
}

// checkSwitches checks the keys that are booleans, and the holdout, an object.
func (c *filterCheck) checkSwitches() *field.Failure {
	if enrollment := c.filters.Get("feature_enrollment"); !rawjson.IsNull(enrollment) && python.TypeName(enrollment) != "bool" {
		return refuseFilters("feature_enrollment must be a boolean or null, got %s", python.TypeName(enrollment))
	}
	if holdout := c.filters.Get("holdout"); !rawjson.IsNull(holdout) && !rawjson.IsObject(holdout) {
		return refuseFilters("holdout must be a dictionary or null, got %s", python.TypeName(holdout))
	}
	return nil
}

// checkBits refuses integers that do not fit into 32 bits.
func (c *filterCheck) checkBits(path string, raw json.RawMessage) *field.Failure {
	if c.rules == nil {
		return nil
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n >= math.MinInt32 && n <= math.MaxInt32 {
		return nil
	}
	return refuseFilters("%s must be between %d and %d, got %s", path, math.MinInt32, math.MaxInt32, raw)
}

// propertyTypes are the types that a property can have.
var propertyTypes = map[string]bool{"person": true, "cohort": true, "flag": true, "group": true, "event": true}

// checkPropertyForm checks the key and the type of a property, and negation.
func (c *filterCheck) checkPropertyForm(index, n int, property rawjson.Fields) *field.Failure {
	if rawjson.IsNull(property["key"]) {
		return refuseFilters("%s: a property key is required", propertyPath(index, n, "key"))
	}
	if kind := property["type"]; !rawjson.IsNull(kind) && !propertyTypes[rawjson.Unquote(kind)] {
		return refuseFilters("%s: invalid property type", propertyPath(index, n, "type"))
	}
	if negation := property["negation"]; !rawjson.IsNull(negation) && python.TypeName(negation) != "bool" {
		return refuseFilters("%s", fmt.Sprintf("%s must be a boolean or null, got %s", propertyPath(index, n, "negation"), python.TypeName(negation)))
	}
	return nil
}

// enforces reports whether the settings of a feature name a rule.
func enforces(f rawjson.Fields, rule string) bool {
	if !rawjson.IsArray(f["enforce"]) {
		return false
	}
	for _, item := range rawjson.Items(f["enforce"]) {
		if rawjson.Unquote(item) == rule {
			return true
		}
	}
	return false
}

// has reports whether the organization of a project has a feature.
func has(project Project, feature string) bool {
	_, ok := project.Feature(feature)
	return ok
}
