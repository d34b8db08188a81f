package evaluation

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Definition is a feature flag as it is stored.
type Definition struct {
	ID      int64
	Key     string
	Active  bool
	Deleted bool
	// KeepsExperience is ensure_experience_continuity: who was seen before signing in stays
	// where the earlier id was.
	KeepsExperience bool
	// ByDevice is set when devices are spread over a rollout in place of persons.
	ByDevice bool
	// Filters are valid, compact JSON; anything but an object is no filters.
	Filters json.RawMessage
}

// Flag is a feature flag that was read once to be evaluated many times. It is not changed.
type Flag struct {
	Definition
	conditions []condition
	variants   []variant
	payloads   rawjson.Fields
	// gate is the condition of an early access feature as it was written before
	// feature_enrollment; nil for none.
	gate       *condition
	enrolls    bool
	holdout    *holdout
	exitsEarly bool
	// aggregation is the group type that is spread over a rollout; nil for persons.
	aggregation *int64
	// dependencies are the ids of the flags that the conditions ask for.
	dependencies []int64
}

// holdout are people who are kept out of experiments.
type holdout struct {
	id    string
	share float64
}

// NewFlag reads a flag. What its filters have in another form than flags do is as if it
// was absent.
func NewFlag(d Definition) *Flag {
	flag := &Flag{Definition: d}
	if !rawjson.IsObject(d.Filters) {
		return flag
	}
	filters := rawjson.Members(d.Filters)

	flag.aggregation = integer(filters["aggregation_group_type_index"])
	flag.exitsEarly = kindOf(filters["early_exit"]) == trueKind
	flag.enrolls = kindOf(filters["feature_enrollment"]) == trueKind
	flag.variants = variantsOf(filters["multivariate"])
	flag.holdout = holdoutOf(filters["holdout"])
	if payloads := filters["payloads"]; rawjson.IsObject(payloads) {
		flag.payloads = rawjson.Members(payloads)
	}

	flag.conditions = conditionsOf(filters["groups"], flag.aggregation)
	asking := flag.conditions
	if gates := conditionsOf(filters["super_groups"], nil); len(gates) > 0 {
		flag.gate = &gates[0]
		asking = append(slices.Clone(asking), gates[0])
	}
	flag.dependencies = dependenciesOf(asking)
	return flag
}

func variantsOf(multivariate json.RawMessage) []variant {
	list := rawjson.Lookup(multivariate, "variants")
	if !rawjson.IsArray(list) {
		return nil
	}

	var variants []variant
	for _, item := range rawjson.Items(list) {
		if !rawjson.IsObject(item) {
			continue
		}
		fields := rawjson.Members(item)
		share, ok := decimal(fields["rollout_percentage"])
		if ok && rawjson.IsString(fields["key"]) {
			variants = append(variants, variant{rawjson.Unquote(fields["key"]), share})
		}
	}
	return variants
}

func holdoutOf(raw json.RawMessage) *holdout {
	id := integer(rawjson.Lookup(raw, "id"))
	share, ok := decimal(rawjson.Lookup(raw, "exclusion_percentage"))
	if id == nil || !ok {
		return nil
	}
	return &holdout{id: strconv.FormatInt(*id, 10), share: share}
}

// hasVariant reports whether a flag has a variant with a key.
func (flag *Flag) hasVariant(key string) bool {
	for i := range flag.variants {
		if flag.variants[i].key == key {
			return true
		}
	}
	return false
}

// payload is what an app gets together with a value; nil for none.
func (flag *Flag) payload(variant *string) json.RawMessage {
	if variant == nil {
		return flag.payloads["true"]
	}
	return flag.payloads[*variant]
}
