package targeting

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// checkVariantShares checks the share of each variant.
func (c *filterCheck) checkVariantShares() *field.Failure {
	for i, variant := range variantObjects(c.filters.JSON()) {
		path := fmt.Sprintf("multivariate.variants[%d].rollout_percentage", i)
		share := variant["rollout_percentage"]
		if rawjson.IsNull(share) {
			return refuseFilters("%s must be a number, got null", path)
		}
		if f := checkShare(path, "a number", share); f != nil {
			return f
		}
	}
	return nil
}

// checkVariantSum asks for shares of all variants that make up the whole.
func (c *filterCheck) checkVariantSum() *field.Failure {
	variants := variantObjects(c.filters.JSON())
	if len(variants) == 0 {
		return nil
	}

	sum, whole := 0.0, true
	for _, variant := range variants {
		share, _ := python.Number(variant["rollout_percentage"])
		sum += share
		whole = whole && python.TypeName(variant["rollout_percentage"]) == "int"
	}

	if sum == 100 {
		return nil
	}

	got := strconv.FormatFloat(sum, 'f', -1, 64)
	if !whole {
		got = python.NumberText(strconv.FormatFloat(sum, 'e', -1, 64))
	}

	return c.violates("variant_rollout_sum_not_100", "multivariate.variants",
		fmt.Sprintf("Variant rollout percentages must sum to 100, got %s.", got),
		refuseFilters("Invalid variant definitions: Variant rollout percentages must sum to 100."))
}

// checkVariantKeys refuses two variants with one key, a rule of September 2026 alone.
func (c *filterCheck) checkVariantKeys() *field.Failure {
	for i, key := range c.variants {
		if slices.Contains(c.variants[:i], key) {
			return c.violates("variant_keys_not_unique", fmt.Sprintf("multivariate.variants[%d].key", i), "Variant keys must be unique.", nil)
		}
	}
	return nil
}

// checkPayloads asks for an object of payloads whose texts are JSON.
func (c *filterCheck) checkPayloads() *field.Failure {
	payloads := c.filters.Get("payloads")
	if payloads == nil {
		return nil
	}
	if !rawjson.IsObject(payloads) {
		return refuseFilters("Payloads must be passed as a dictionary")
	}

	for _, m := range rawjson.PairsOf(payloads) {
		if !rawjson.IsString(m.Value) {
			continue
		}
		if _, err := python.ReadJSON([]byte(rawjson.Unquote(m.Value))); err == nil {
			continue
		}

		if c.rules != nil {
			return refuseFilters("Payload for key '%s' is not valid JSON.", m.Name)
		}
		return refuseFilters("Payload value is not valid JSON")
	}
	return nil
}

// checkPayloadKeys asks for the keys of variants, or true where there are none.
func (c *filterCheck) checkPayloadKeys() *field.Failure {
	payloads := c.filters.Get("payloads")
	if !rawjson.IsObject(payloads) {
		return nil
	}

	for _, m := range rawjson.PairsOf(payloads) {
		path := "payloads." + m.Name
		switch {
		case len(c.variants) == 0 && m.Name != "true":
			if f := c.violates("payload_key_not_true", path, "The payload key of a flag without variants must be true.",
				refuseFilters("Payload keys must be 'true' for boolean flags")); f != nil {
				return f
			}
		case len(c.variants) > 0 && !slices.Contains(c.variants, m.Name):
			if f := c.violates("payload_key_not_a_variant", path, "The payload key must be the key of a variant.",
				refuseFilters("Payload keys must match a variant key for multivariate flags")); f != nil {
				return f
			}
		}
	}
	return nil
}

// maxFilterSize is the size of filters as JSON, in bytes.
const maxFilterSize = 512 << 10

func checkFilterSize(raw json.RawMessage) *field.Failure {
	if len(raw) <= maxFilterSize {
		return nil
	}
	return refuseFilters("Feature flag filters exceed maximum size of %dKB. Current size: %dKB. "+
		"Please simplify conditions or reduce payload sizes.", maxFilterSize>>10, len(raw)>>10)
}
