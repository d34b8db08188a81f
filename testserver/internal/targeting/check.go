// Package targeting validates the filters of feature flags, with which PostHog decides who sees a survey. It
// also converts filters to the form in which PostHog stores them.
package targeting

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Project looks up flags and cohorts of a project by ID. Its methods return nil if there is none.
type Project interface {
	Flag(id int64) *store.Flag
	Cohort(id int64) *store.Cohort
}

// filterCheck checks the filters of a flag.
type filterCheck struct {
	project Project
	filters wire.Value
	// flag is the flag to edit, or nil for a new flag. stored are its filters.
	flag   *store.Flag
	stored wire.Value
}

// Check checks the filters of a flag. flag is nil for a new flag. It returns the first error in the order of
// PostHog's rules. The field of an error is the flag's field name.
func Check(filters wire.Value, flag *store.Flag, project Project) *wire.Failure {
	if !filters.IsObject() {
		return wire.ServerError()
	}
	c := &filterCheck{project: project, filters: filters, flag: flag}
	if flag != nil {
		c.stored = flag.Filters()
	}
	f := wire.FirstFailure(
		c.checkForm, c.checkMultivariate, c.checkSwitches, c.checkHasGroups,
		func() *wire.Failure { return checkInteger(aggregation, c.filters.Get(aggregation)) },
		c.checkEarlyExit,
		func() *wire.Failure { return c.eachGroup(c.checkGroup) },
		c.checkShares,
		func() *wire.Failure { return c.eachGroup(c.checkDependencies) },
		func() *wire.Failure { return c.eachGroup(c.checkProperties) },
		c.checkPayloads, c.checkSize,
	)
	if f == nil && filters.HoldsNUL() {
		// PostHog's database cannot store a NUL character.
		return wire.ServerError()
	}
	return f
}

// refuse returns an error for the field filters.
func refuse(format string, args ...any) *wire.Failure {
	return wire.Invalid("invalid_input", "filters", fmt.Sprintf(format, args...))
}

// aggregation is the key of a condition's group type.
const aggregation = "aggregation_group_type_index"

// propertyPath returns the path of a property in PostHog's format.
func propertyPath(group, property int, key string) string {
	return fmt.Sprintf("groups[%d].properties[%d].%s", group, property, key)
}

func groupPath(group int, key string) string { return fmt.Sprintf("groups[%d].%s", group, key) }

// checkForm checks the types of groups and properties.
func (c *filterCheck) checkForm() *wire.Failure {
	if !c.filters.Get("version").IsAbsent() {
		return wire.Invalid("reserved_config_version", "filters", "filters.version is reserved. Remove it from the request.")
	}
	groups := c.filters.Get("groups")
	if !groups.IsNull() && !groups.IsArray() {
		return refuse("groups must be a list, got %s", groups.Type())
	}
	for i, group := range groups.Items() {
		properties := group.Get("properties")
		switch {
		case !group.IsObject():
			return refuse("groups[%d] must be a dictionary, got %s", i, group.Type())
		case !properties.IsNull() && !properties.IsArray():
			return refuse("%s must be a list, got %s", groupPath(i, "properties"), properties.Type())
		}
		for n, property := range properties.Items() {
			if !property.IsObject() {
				return refuse("groups[%d].properties[%d] must be a dictionary, got %s", i, n, property.Type())
			}
		}
	}
	return nil
}

func (c *filterCheck) checkMultivariate() *wire.Failure {
	multivariate := c.filters.Get("multivariate")
	variants := multivariate.Get("variants")
	switch {
	case !multivariate.IsNull() && !multivariate.IsObject():
		return refuse("multivariate must be a dictionary or null, got %s", multivariate.Type())
	case !variants.IsAbsent() && !variants.IsArray():
		return refuse("multivariate.variants must be a list, got %s", variants.Type())
	}
	for i, variant := range variants.Items() {
		switch key := variant.Get("key"); {
		case !variant.IsObject():
			return refuse("multivariate.variants[%d] must be a dictionary, got %s", i, variant.Type())
		case !key.IsText():
			return refuse("multivariate.variants[%d].key must be a string, got %s", i, key.Type())
		}
	}
	return nil
}

// checkSwitches checks the Boolean keys, and the holdout, which is an object.
func (c *filterCheck) checkSwitches() *wire.Failure {
	if enrollment := c.filters.Get("feature_enrollment"); !enrollment.IsNull() && enrollment.Type() != "bool" {
		return refuse("feature_enrollment must be a boolean or null, got %s", enrollment.Type())
	}
	if holdout := c.filters.Get("holdout"); !holdout.IsNull() && !holdout.IsObject() {
		return refuse("holdout must be a dictionary or null, got %s", holdout.Type())
	}
	return nil
}

// checkHasGroups requires a group in a new flag. An edited flag may keep its groups or lose all of them.
func (c *filterCheck) checkHasGroups() *wire.Failure {
	if c.flag == nil && !c.filters.Get("groups").IsTruthy() {
		return refuse("Feature flags must have at least one condition set (group).")
	}
	return nil
}

// checkEarlyExit refuses early exit, unless the flag already uses it.
func (c *filterCheck) checkEarlyExit() *wire.Failure {
	input := c.filters.Get("early_exit")
	switch {
	case input.IsNull(), input.Is("false"):
		return nil
	case !input.Is("true"):
		return refuse("early_exit must be a boolean or null, got %s", input.Type())
	case c.stored.Get("early_exit").Is("true"):
		return nil
	}
	return refuse("early_exit is not available for this organization.")
}

func (c *filterCheck) eachGroup(check func(index int, group wire.Value) *wire.Failure) *wire.Failure {
	for i, group := range c.filters.Get("groups").Items() {
		if f := check(i, group); f != nil {
			return f
		}
	}
	return nil
}

// checkGroup checks the values of a group, and the parts of its properties on which later rules depend.
func (c *filterCheck) checkGroup(index int, group wire.Value) *wire.Failure {
	if variant := group.Get("variant"); !variant.IsNull() && !variant.IsText() {
		return refuse("%s must be a string or null, got %s", groupPath(index, "variant"), variant.Type())
	}
	if rollout := group.Get("rollout_percentage"); !rollout.IsNull() {
		if f := checkShare(groupPath(index, "rollout_percentage"), "a number or null", rollout); f != nil {
			return f
		}
	}

	if f := checkInteger(groupPath(index, aggregation), group.Get(aggregation)); f != nil {
		return f
	}

	properties := group.Get("properties")
	if properties.Is("null") {
		// PostHog iterates over the properties without a type check, and fails.
		return wire.ServerError()
	}
	for n, property := range properties.Items() {
		if f := checkInteger(propertyPath(index, n, "group_type_index"), property.Get("group_type_index")); f != nil {
			return f
		}
		if pattern, ok := propertyPattern(property); ok && !isPattern(pattern) && !c.storesPattern(pattern) {
			return refuse("%s: invalid regex pattern", propertyPath(index, n, "value"))
		}
	}
	return nil
}

// propertyPattern returns the regular expression of a property. ok is false if it has none.
func propertyPattern(property wire.Value) (pattern string, ok bool) {
	value, operator := property.Get("value"), property.Get("operator").Text()
	return value.Text(), value.IsText() && (operator == "regex" || operator == "not_regex")
}

func isPattern(s string) bool {
	_, err := audience.CompilePattern(s)
	return err == nil
}

// storesPattern reports whether a property of the stored flag contains the pattern.
func (c *filterCheck) storesPattern(pattern string) bool {
	for _, group := range c.stored.Get("groups").Items() {
		for _, property := range group.Get("properties").Items() {
			if stored, ok := propertyPattern(property); ok && stored == pattern {
				return true
			}
		}
	}
	return false
}

// checkInteger refuses values other than 32-bit integers and null.
func checkInteger(path string, v wire.Value) *wire.Failure {
	if v.IsNull() {
		return nil
	}
	if v.Type() != "int" {
		return refuse("%s must be an integer or null, got %s", path, v.Type())
	}
	if n, err := strconv.ParseInt(v.Spelling(), 10, 64); err != nil || n < math.MinInt32 || n > math.MaxInt32 {
		return refuse("%s must be between %d and %d, got %s", path, math.MinInt32, math.MaxInt32, v.Spelling())
	}
	return nil
}

// checkShare refuses values other than finite numbers from 0 to 100.
func checkShare(path, expected string, v wire.Value) *wire.Failure {
	if kind := v.Type(); kind != "int" && kind != "float" {
		return refuse("%s must be %s, got %s", path, expected, kind)
	}
	n, ok := v.Number()
	switch {
	case !ok:
		return refuse("%s must be finite, got %s", path, v.Spelling())
	case n < 0 || n > 100:
		return refuse("%s must be between 0 and 100, got %s", path, v.Spelling())
	}
	return nil
}

// checkShares checks the rollout percentage of each variant.
func (c *filterCheck) checkShares() *wire.Failure {
	for i, variant := range c.filters.Get("multivariate").Get("variants").Items() {
		path := fmt.Sprintf("multivariate.variants[%d].rollout_percentage", i)
		share := variant.Get("rollout_percentage")
		if share.IsNull() {
			return refuse("%s must be a number, got null", path)
		}
		if f := checkShare(path, "a number", share); f != nil {
			return f
		}
	}
	return nil
}

// operators are the property operators that flags support.
var operators = strings.Fields("exact is_not icontains not_icontains icontains_multi not_icontains_multi regex not_regex " +
	"gt gte lt lte min max semver_gt semver_gte semver_lt semver_lte semver_eq semver_neq semver_tilde semver_caret " +
	"semver_wildcard is_set is_not_set is_date_exact is_date_after is_date_before in not_in flag_evaluates_to")

// propertyTypes are the valid types of a property.
var propertyTypes = []string{"person", "cohort", "flag", "group", "event"}

// checkProperties checks the properties of a group, and that surveys can use their cohorts.
func (c *filterCheck) checkProperties(index int, group wire.Value) *wire.Failure {
	for n, property := range group.Get("properties").Items() {
		operator, kind, negation := property.Get("operator"), property.Get("type"), property.Get("negation")
		switch {
		case !operator.IsNull() && !slices.Contains(operators, operator.Text()):
			return refuse("%s: unsupported operator for feature flags", propertyPath(index, n, "operator"))
		case property.Get("key").IsNull():
			return refuse("%s: a property key is required", propertyPath(index, n, "key"))
		case !slices.Contains(propertyTypes, kind.Text()):
			// PostHog also refuses a property without a type, because it has no default.
			return refuse("%s: invalid property type", propertyPath(index, n, "type"))
		case !negation.IsNull() && negation.Type() != "bool":
			return refuse("%s must be a boolean or null, got %s", propertyPath(index, n, "negation"), negation.Type())
		case kind.Text() != "cohort":
			continue
		}
		if f := c.checkCohort(property.Get("value")); f != nil {
			return f
		}
	}
	return nil
}

// checkCohort refuses cohorts that are not in the project, and cohorts that a survey cannot use.
func (c *filterCheck) checkCohort(value wire.Value) *wire.Failure {
	if value.IsAbsent() {
		return nil
	}
	id, ok := value.Int()
	if !ok {
		return wire.ServerError()
	}
	cohort := c.project.Cohort(id)
	if cohort == nil {
		return wire.Invalid("cohort_does_not_exist", "filters", fmt.Sprintf("Cohort with id %d does not exist", id))
	}
	if detail := cohort.Unusable(); detail != "" {
		return wire.Invalid("behavioral_cohort_found", "", detail)
	}
	return nil
}

// checkPayloads requires an object of payloads. Payloads that are strings must contain JSON.
func (c *filterCheck) checkPayloads() *wire.Failure {
	payloads := c.filters.Get("payloads")
	if !payloads.IsAbsent() && !payloads.IsObject() {
		return refuse("Payloads must be passed as a dictionary")
	}
	for _, m := range payloads.Members() {
		if m.IsText() && !json.Valid([]byte(m.Text())) {
			return refuse("Payload for key '%s' is not valid JSON.", m.Name)
		}
	}
	return nil
}

// maxSize is the maximum size of encoded filters, in bytes.
const maxSize = 512 << 10

func (c *filterCheck) checkSize() *wire.Failure {
	size := c.filters.Size()
	if size <= maxSize {
		return nil
	}
	return refuse("Feature flag filters exceed maximum size of %dKB. Current size: %dKB. "+
		"Please simplify conditions or reduce payload sizes.", maxSize>>10, size>>10)
}
