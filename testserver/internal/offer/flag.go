package offer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/evaluation"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// targetingCheck is what the check of a survey's own flag is called.
const targetingCheck = "targeting"

// wordsOfFlag says why a flag is off for a person; empty when it is on.
func wordsOfFlag(check string, project *evaluation.Project, flag *evaluation.Flag, person *evaluation.Person, r evaluation.Result) string {
	if r.Enabled {
		return ""
	}
	switch {
	case flag.Deleted:
		return fmt.Sprintf("%s: feature flag %q is deleted: link another one", check, flag.Key)
	case r.Reason.Code == evaluation.Disabled:
		return fmt.Sprintf("%s: feature flag %q is switched off: switch it on", check, flag.Key)
	case r.Reason.Code == evaluation.MissingDependency:
		return fmt.Sprintf("%s: feature flag %q asks for a flag that does not exist, or for itself", check, flag.Key)
	case len(r.Conditions) == 0:
		return fmt.Sprintf("%s: feature flag %q has no condition that anybody could meet", check, flag.Key)
	case reachesNobody(r):
		return fmt.Sprintf("%s: feature flag %q is rolled out to 0 %%: raise rollout_percentage", check, flag.Key)
	}

	words := wordsOfConditions(project, flag, person, r)
	if check == targetingCheck {
		return fmt.Sprintf("targeting: the targeting does not choose this person (%s)", strings.Join(words, "; "))
	}
	return fmt.Sprintf("%s: feature flag %q is off for this person (%s)", check, flag.Key, strings.Join(words, "; "))
}

// wordsOfConditions says of each condition that was looked at why it is not met.
func wordsOfConditions(project *evaluation.Project, flag *evaluation.Flag, person *evaluation.Person, r evaluation.Result) []string {
	words := make([]string, len(r.Conditions))
	for i := range r.Conditions {
		words[i] = wordsOfCondition(project, flag, person, i, r.Conditions[i])
		if len(r.Conditions) > 1 {
			words[i] = "condition " + strconv.Itoa(i+1) + ": " + words[i]
		}
	}
	return words
}

// reachesNobody reports whether all conditions of a flag are for 0 % of people.
func reachesNobody(r evaluation.Result) bool {
	return !slices.ContainsFunc(r.Conditions, func(c evaluation.Condition) bool { return c.Rollout > 0 })
}

// wordsOfCondition says why a person does not meet a condition.
func wordsOfCondition(project *evaluation.Project, flag *evaluation.Flag, person *evaluation.Person, i int, c evaluation.Condition) string {
	switch c.Code {
	case evaluation.OutOfRollout:
		if flag.ByDevice && person.DeviceID == "" {
			return "it spreads devices, and no device is known"
		}
		return fmt.Sprintf("it is rolled out to %s %%, and this person stands at %s %%", percent(c.Rollout), percent(c.Hash))
	case evaluation.NoGroup:
		return "it is for groups" + typeOfGroup(project, flag, i) + ", and this person has none"
	case evaluation.NoMatch:
		if c.Undecided != "" {
			return c.Undecided
		}
		return wordsOfProperty(flag, person, i, c)
	default:
		return "it is not met"
	}
}

// percent is a share with as many digits as tell it apart.
func percent(share float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(share*100, 'f', 4, 64), "0"), ".")
}

// groupOf is a condition of a flag as it is stored.
func groupOf(flag *evaluation.Flag, i int) json.RawMessage {
	return item(rawjson.Lookup(flag.Filters, "groups"), i)
}

func item(list json.RawMessage, i int) json.RawMessage {
	if !rawjson.IsArray(list) {
		return nil
	}
	items := rawjson.List(list)
	if i < 0 || i >= len(items) {
		return nil
	}
	return items[i]
}

// typeOfGroup names the type of the groups that a condition is for.
func typeOfGroup(project *evaluation.Project, flag *evaluation.Flag, i int) string {
	raw := rawjson.Lookup(groupOf(flag, i), "aggregation_group_type_index")
	if raw == nil {
		raw = rawjson.Lookup(flag.Filters, "aggregation_group_type_index")
	}
	index, err := strconv.Atoi(string(raw))
	if err != nil || index < 0 || index >= len(project.GroupTypes) {
		return ""
	}
	return fmt.Sprintf(" of type %q", project.GroupTypes[index])
}

// wordsOfProperty says which property of a condition does not match.
func wordsOfProperty(flag *evaluation.Flag, person *evaluation.Person, i int, c evaluation.Condition) string {
	property := item(rawjson.Lookup(groupOf(flag, i), "properties"), c.Property)
	want := rawjson.Lookup(property, "value")

	switch rawjson.Unquote(rawjson.Lookup(property, "type")) {
	case "cohort":
		if c.Operator == "not_in" {
			return fmt.Sprintf("this person is in cohort %s", want)
		}
		return fmt.Sprintf("this person is not in cohort %s", want)
	case "flag":
		return fmt.Sprintf("flag %s is not %s for this person", c.Key, want)
	case "group":
		return fmt.Sprintf("%q of the group does not match: %s", c.Key, asks(c.Operator, want))
	}
	has, known := person.Properties[c.Key]
	switch {
	case c.Key == "distinct_id" && !known:
		has = rawjson.Quote(person.DistinctID)
	case !known:
		return fmt.Sprintf("%q is not set: %s", c.Key, asks(c.Operator, want))
	}
	return fmt.Sprintf("%q is %s: %s", c.Key, has, asks(c.Operator, want))
}

// asks is what a property asks for.
func asks(operator string, want json.RawMessage) string {
	if rawjson.IsNull(want) || operator == "is_set" || operator == "is_not_set" {
		return "asked for is " + operator
	}
	return "asked for is " + operator + " " + string(want)
}
