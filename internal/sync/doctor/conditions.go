package doctor

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/oapi-codegen/nullable"
)

// Conditions decide where a survey is shown.
type Conditions struct {
	URL               string   `json:"url"`
	URLMatchType      string   `json:"urlMatchType"`
	Selector          string   `json:"selector"`
	DeviceTypes       []string `json:"deviceTypes"`
	DevicesMatchType  string   `json:"deviceTypesMatchType"`
	LinkedFlagVariant string   `json:"linkedFlagVariant"`
	WaitDays          float64  `json:"seenSurveyWaitPeriodInDays"`
	Events            *Named   `json:"events"`
	Actions           *Named   `json:"actions"`
}

// Named are the events or actions that conditions name.
type Named struct {
	// RepeatedActivation has the survey shown at each of the events.
	RepeatedActivation bool `json:"repeatedActivation"`
	Values             []struct {
		Name string `json:"name"`
	} `json:"values"`
}

// comesAgain reports whether the survey is shown at each of the events, to whoever has
// answered it, too.
func (n *Named) comesAgain() bool { return n != nil && n.RepeatedActivation && len(n.Values) > 0 }

// Names are their names; none for nil.
func (n *Named) Names() []string {
	if n == nil {
		return nil
	}
	var names []string
	for _, value := range n.Values {
		names = append(names, value.Name)
	}
	return names
}

// isEmpty reports whether the conditions are met everywhere.
func (c Conditions) isEmpty() bool {
	return c.Selector == "" && strings.Join(c.DeviceTypes, "") == "" && len(c.Events.Names()) == 0 && len(c.Actions.Names()) == 0 && c.WaitDays <= 0 && c.URL == ""
}

// OfURL are the conditions on the address of a page alone.
func (c Conditions) OfURL() Conditions { return Conditions{URL: c.URL, URLMatchType: c.URLMatchType} }

// OfDevice are the conditions on the device alone.
func (c Conditions) OfDevice() Conditions {
	return Conditions{DeviceTypes: c.DeviceTypes, DevicesMatchType: c.DevicesMatchType}
}

// checkConditions reports conditions that can never be met, and lists the others.
func (v *visibility) checkConditions() {
	conditions, err := decodeConditions(v.survey.Conditions)
	if err != nil {
		v.warn("conditions", ConditionsUnreadable, Finding{Err: err})
		return
	}
	v.checkURL(conditions)
	v.checkVariant(conditions)
	if !conditions.isEmpty() {
		v.ok("conditions", ConditionsNeeded, Finding{Needs: conditions})
	}
}

// checkURL checks that a regular expression for the URL compiles.
func (v *visibility) checkURL(c Conditions) {
	if c.URLMatchType != "regex" && c.URLMatchType != "not_regex" {
		return
	}
	if _, err := regexp.Compile(c.URL); err != nil {
		v.warn("conditions", URLNoPattern, Finding{Value: c.URL, Err: err})
	}
}

// checkVariant checks that the linked flag has the variant that the conditions ask for.
func (v *visibility) checkVariant(c Conditions) {
	if c.LinkedFlagVariant == "" || c.LinkedFlagVariant == "any" {
		return
	}
	flag, err := v.survey.LinkedFlag.Get()
	switch {
	case err != nil:
		v.fail("conditions", VariantWithoutFlag, Finding{Name: c.LinkedFlagVariant})
	case !hasVariant(flag, c.LinkedFlagVariant):
		v.fail("conditions", VariantUnknown, Finding{Name: c.LinkedFlagVariant, Value: text(flag.Key)})
	}
}

// decodeConditions reads conditions in either form, an object or its JSON text.
func decodeConditions(field nullable.Nullable[json.RawMessage]) (Conditions, error) {
	var c Conditions
	raw, err := field.Get()
	if err != nil || len(raw) == 0 {
		return c, nil //nolint:nilerr // null or missing: there are none
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, errors.New("they are not an object of the known form")
	}
	return c, nil
}
