package evaluation

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// condition is a group of a flag's filters: all of its properties have to match, and the
// person has to be within its share.
type condition struct {
	properties []property
	// share is in percent.
	share float64
	// variant is the one that the condition gives in place of the one by hash; nil for none.
	variant *string
	// aggregation is the group type that is spread over the share; nil for persons.
	aggregation *int64
}

// conditionsOf reads the conditions of filters; one without an aggregation of its own has
// that of the flag.
func conditionsOf(raw json.RawMessage, common *int64) []condition {
	if !rawjson.IsArray(raw) {
		return nil
	}

	var conditions []condition
	for _, item := range rawjson.Items(raw) {
		fields := rawjson.Fields{}
		if rawjson.IsObject(item) {
			fields = rawjson.Members(item)
		}

		c := condition{properties: propertiesOf(fields["properties"]), share: 100, aggregation: common}
		if share, ok := decimal(fields["rollout_percentage"]); ok {
			c.share = share
		}
		if own, ok := fields["aggregation_group_type_index"]; ok {
			c.aggregation = integer(own)
		}
		if rawjson.IsString(fields["variant"]) {
			key := rawjson.Unquote(fields["variant"])
			c.variant = &key
		}
		conditions = append(conditions, c)
	}
	return conditions
}

func propertiesOf(raw json.RawMessage) []property {
	if !rawjson.IsArray(raw) {
		return nil
	}

	var properties []property
	for _, item := range rawjson.Items(raw) {
		properties = append(properties, propertyOf(item))
	}
	return properties
}

// dependenciesOf are the ids of the flags that conditions ask for.
func dependenciesOf(conditions []condition) []int64 {
	var ids []int64
	for _, c := range conditions {
		for i := range c.properties {
			if id, ok := c.properties[i].flagID(); ok && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// integer decodes an integer; nil for anything else.
func integer(raw json.RawMessage) *int64 {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// decimal decodes a number.
func decimal(raw json.RawMessage) (float64, bool) {
	if kindOf(raw) != numberKind {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}
