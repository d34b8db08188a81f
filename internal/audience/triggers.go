package audience

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// triggers are the events or actions in conditions.
type triggers struct {
	// RepeatedActivation shows the survey after each of the events, even to people who have answered it.
	RepeatedActivation bool      `json:"repeatedActivation"`
	Values             []trigger `json:"values"`
}

// trigger is an event or an action.
type trigger struct {
	Name string `json:"name"`
	// ID is the ID of an action, whose name a configuration may omit.
	ID json.RawMessage `json:"id"`
	// Steps contains an action's steps. It is nil if they are unknown.
	Steps []json.RawMessage `json:"steps"`
	// Filters contains the operator and the values that each property of an event must match.
	Filters any `json:"propertyFilters"`
}

// names describes the triggers. It returns an empty string if there are none.
func (t triggers) names() string {
	var names []string
	for _, value := range t.Values {
		names = append(names, value.describe())
	}
	return strings.Join(names, ", ")
}

// describe returns the quoted name of the trigger, or its ID, and the conditions on the event's properties.
func (t trigger) describe() string {
	words := strconv.Quote(t.Name)
	if t.Name == "" && len(t.ID) > 0 {
		words = "ID " + string(t.ID)
	}

	var asked []string
	filters := members(t.Filters)
	for _, key := range slices.Sorted(maps.Keys(filters)) {
		filter := members(filters[key])
		asked = append(asked, fmt.Sprintf("%q %v %s", key, filter["operator"], toJSON(filter["values"])))
	}
	if len(asked) > 0 {
		words += " with " + strings.Join(asked, " and ")
	}
	return words
}

// ofTriggers describes the events and actions. SDKs show the survey after any event or action.
func (c conditions) ofTriggers() string {
	var triggers []string
	if events := c.Events.names(); events != "" {
		triggers = append(triggers, "one of these events was sent: "+events)
	}
	if actions := c.Actions.names(); actions != "" {
		triggers = append(triggers, "one of these actions was done: "+actions)
	}
	if len(triggers) > 1 {
		return "either " + strings.Join(triggers, ", or ")
	}
	return strings.Join(triggers, "")
}

// IgnoredTriggers reports events and actions of the conditions that posthog-js does not detect, if it detects others. If
// it detects none, [Survey.Never] reports them.
func (s *Survey) IgnoredTriggers() []Finding {
	c, _ := s.conditions()
	causes, isAnyDetected := c.undetectedTriggers()
	if len(causes) == 0 || !isAnyDetected {
		return nil
	}
	return []Finding{{Warning, "conditions", "these cannot show the survey: " + strings.Join(causes, "; ")}}
}

// neverOnTriggers reports conditions whose events and actions are all undetected.
func (c conditions) neverOnTriggers() []Finding {
	causes, isAnyDetected := c.undetectedTriggers()
	if len(causes) == 0 || isAnyDetected {
		return nil
	}
	return []Finding{{Failed, "conditions", "no event or action can show the survey: " + strings.Join(causes, "; ")}}
}

// undetectedTriggers lists the events and actions that posthog-js does not detect, and reports whether it detects others.
// Source: survey-event-receiver-base and survey-action-matcher of posthog-js 1.449.2.
func (c conditions) undetectedTriggers() (causes []string, isAnyDetected bool) {
	isListed := map[string]bool{}
	for _, event := range c.Events.Values {
		cause := event.unmatchable()
		if isListed[event.Name] {
			cause = "it is listed twice, and posthog-js reads only the first entry"
		}
		isListed[event.Name] = true
		if cause != "" {
			causes = append(causes, fmt.Sprintf("event %q: %s", event.Name, cause))
		}
	}
	for _, action := range c.Actions.Values {
		if cause := action.undetectable(); cause != "" {
			causes = append(causes, fmt.Sprintf("action %s: %s", action.describe(), cause))
		}
	}
	return causes, len(causes) < len(c.Events.Values)+len(c.Actions.Values)
}

// unmatchable explains why no event can match the filters. It is empty if an event may match.
func (t trigger) unmatchable() string {
	filters := members(t.Filters)
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		filter := members(filters[name])
		operator, _ := filter["operator"].(string)
		values, _ := filter["values"].([]any)
		switch operator {
		case "exact", "icontains", "regex", "gt", "lt":
			if len(values) == 0 {
				return fmt.Sprintf("propertyFilters.%s has no values", name)
			}
		case "is_not", "not_icontains", "not_regex":
		default:
			return fmt.Sprintf("propertyFilters.%s has the unknown operator %q", name, operator)
		}
	}
	return ""
}

// undetectable explains why apps do not detect an action. It is empty if they may.
func (t trigger) undetectable() string {
	if t.Steps != nil && len(t.Steps) == 0 {
		return "it has no steps"
	}
	return ""
}
