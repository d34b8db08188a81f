package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

var surveyWords = map[doctor.Code]func(doctorWords, doctor.Finding) string{
	doctor.Archived:    is("it is archived: set archived = false"),
	doctor.EndsLater:   dated(`it is over, although its end_date is %s: the service has no schedule, and a survey with any end_date is completed; resume it with status = "running"`),
	doctor.Stopped:     dated(`it was stopped at %s: resume it with status = "running"`),
	doctor.Draft:       is(`it is a draft: launch it with status = "running", or in the web interface`),
	doctor.StartsLater: dated("it runs, although its start_date is %s: the service has no schedule, and a survey with any start_date is launched"),
	doctor.Running:     dated("it has been running since %s"),

	doctor.TypeMissing:  is("it has none"),
	doctor.TypeAPI:      is("an api survey is shown only by your own code"),
	doctor.TypeExternal: is("an external_survey is shown only on its own page"),
	doctor.TypeShown:    func(_ doctorWords, f doctor.Finding) string { return f.Name },

	doctor.ProjectNotAsked:   is("the page of an external_survey does not ask whether the project shows surveys"),
	doctor.ProjectUnknown:    is("whether the project shows surveys cannot be read: check its settings, or give the key the scope project:read"),
	doctor.ProjectOff:        is("surveys are switched off in the project: switch them on in its settings, under Surveys"),
	doctor.ProjectSwitchedOn: is("surveys are switched on"),

	doctor.FlagNone:        is("none, so everyone is asked"),
	doctor.FlagDeleted:     named("feature flag %q is deleted: link another one"),
	doctor.FlagOff:         named("feature flag %q is switched off: switch it on"),
	doctor.FlagReachesNone: named("feature flag %q is rolled out to 0 %%: raise rollout_percentage"),
	doctor.FlagMatchesNobody: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("nobody can match feature flag %q: %s", f.Name, f.Value)
	},
	doctor.FlagOn:          named("feature flag %q is on"),
	doctor.InternalFlagOff: named("feature flag %q, which the service keeps, is off although the survey runs: stop and launch it again"),

	doctor.ConditionsUnreadable: func(_ doctorWords, f doctor.Finding) string { return fmt.Sprintf("cannot be read: %v", f.Err) },
	doctor.ConditionsNeeded: func(_ doctorWords, f doctor.Finding) string {
		return "shown only when " + strings.Join(needs(f.Needs), ", and ")
	},
	doctor.URLNoPattern: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("url %q may not be a valid regular expression, and then matches no page: %v", f.Value, f.Err)
	},
	doctor.VariantWithoutFlag: named("linkedFlagVariant is %q, and no flag is linked: set linked_flag_id, or remove linkedFlagVariant"),
	doctor.VariantUnknown: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("linkedFlagVariant is %q, and feature flag %q has no such variant", f.Name, f.Value)
	},

	doctor.LimitNone: is("none"),
	doctor.LimitReached: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("responses_limit is %d, and there are %s answers: raise it", f.Limit, f.Number)
	},
	doctor.LimitUncountable: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("responses_limit is %d, and the number of answers is %s: %s", f.Limit, f.Number, f.Number.Reason)
	},
	doctor.LimitNotReached: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%s of %d answers", f.Number, f.Limit)
	},
}

// dated words a code with a date, named one with a name.
func dated(format string) func(doctorWords, doctor.Finding) string {
	return func(_ doctorWords, f doctor.Finding) string { return fmt.Sprintf(format, f.Time.Format(time.RFC3339)) }
}

func named(format string) func(doctorWords, doctor.Finding) string {
	return func(_ doctorWords, f doctor.Finding) string { return fmt.Sprintf(format, f.Name) }
}

// needs are the conditions in words, sorted.
func needs(c doctor.Conditions) []string {
	var needs []string
	add := func(isSet bool, format string, args ...any) {
		if isSet {
			needs = append(needs, fmt.Sprintf(format, args...))
		}
	}

	events, actions, devices := quoted(c.Events.Names()), quoted(c.Actions.Names()), strings.Join(c.DeviceTypes, ", ")
	add(c.Selector != "", "an element matches %s", c.Selector)
	add(devices != "", "the device is one of %s", devices)
	add(events != "", "one of these events was sent: %s", events)
	add(actions != "", "one of these actions was done: %s", actions)
	add(c.WaitDays > 0, "no survey was shown for %g days, this one included", c.WaitDays)
	add(c.URL != "", "the address %s %q", cmp.Or(comparisons[c.URLMatchType], c.URLMatchType, "contains"), c.URL)
	slices.Sort(needs)
	return needs
}

// comparisons are the ways to compare an address, in words.
var comparisons = map[string]string{
	"exact": "is", "is_not": "is not", "icontains": "contains", "not_icontains": "does not contain", "regex": "matches", "not_regex": "does not match",
}

// quoted lists names in quotes.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(list, ", ")
}
