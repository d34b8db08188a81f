package evaluation

import "strings"

// operator is a way to compare a property.
type operator struct {
	// compare decides about a property that is there.
	compare func(p *property, have value, now clock) outcome
	// whenAbsent is whether a person without the property matches.
	whenAbsent bool
	// asksPresence is set when nothing but the presence of the property matters.
	asksPresence bool
}

// operators are all that the service knows. The management interface refuses between,
// starts_with and ends_with of flags today; the evaluator has them.
var operators = map[string]operator{
	"exact":  {compare: equals},
	"is_not": {compare: opposite(equals), whenAbsent: true},

	"is_set":     {asksPresence: true},
	"is_not_set": {asksPresence: true, whenAbsent: true},

	"icontains":           {compare: onText(strings.Contains)},
	"not_icontains":       {compare: opposite(onText(strings.Contains)), whenAbsent: true},
	"starts_with":         {compare: onText(strings.HasPrefix)},
	"not_starts_with":     {compare: opposite(onText(strings.HasPrefix)), whenAbsent: true},
	"ends_with":           {compare: onText(strings.HasSuffix)},
	"not_ends_with":       {compare: opposite(onText(strings.HasSuffix)), whenAbsent: true},
	"icontains_multi":     {compare: containsAny},
	"not_icontains_multi": {compare: opposite(containsAny), whenAbsent: true},

	"regex":     {compare: matchesPattern},
	"not_regex": {compare: missesPattern, whenAbsent: true},

	"gt":          {compare: onNumbers(func(have, want float64) bool { return have > want })},
	"gte":         {compare: onNumbers(func(have, want float64) bool { return have >= want })},
	"lt":          {compare: onNumbers(func(have, want float64) bool { return have < want })},
	"lte":         {compare: onNumbers(func(have, want float64) bool { return have <= want })},
	"between":     {compare: between},
	"not_between": {compare: notBetween, whenAbsent: true},

	"semver_eq":       {compare: onVersions(func(order int) bool { return order == 0 })},
	"semver_neq":      {compare: onVersions(func(order int) bool { return order != 0 })},
	"semver_gt":       {compare: onVersions(func(order int) bool { return order > 0 })},
	"semver_gte":      {compare: onVersions(func(order int) bool { return order >= 0 })},
	"semver_lt":       {compare: onVersions(func(order int) bool { return order < 0 })},
	"semver_lte":      {compare: onVersions(func(order int) bool { return order <= 0 })},
	"semver_tilde":    {compare: inRange(tildeRange)},
	"semver_caret":    {compare: inRange(caretRange)},
	"semver_wildcard": {compare: inRange(wildcardRange)},

	"is_date_exact":  {compare: onDates(func(order int) bool { return order == 0 })},
	"is_date_before": {compare: onDates(func(order int) bool { return order < 0 })},
	"is_date_after":  {compare: onDates(func(order int) bool { return order > 0 })},

	"in":                {compare: misplaced},
	"not_in":            {compare: misplaced},
	"flag_evaluates_to": {compare: misplaced},
}

// opposite turns a comparison round that always decides.
func opposite(compare func(*property, value, clock) outcome) func(*property, value, clock) outcome {
	return func(p *property, have value, now clock) outcome { return matches(!compare(p, have, now).isMatch) }
}

// misplaced is the comparison of operators that are for cohorts and flags alone.
func misplaced(p *property, _ value, _ clock) outcome {
	return unknown("the operator " + p.operatorName + " is not for a property of a " + p.of)
}
