package check

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// checkLinkedFlag checks the variant of the linked flag. The variants are known only of a
// flag that was linked before, as of the last read.
func checkLinkedFlag(s candidate, found *Findings) {
	v, _ := decoded(s.Conditions)
	conditions, _ := v.(map[string]any)
	variant, _ := conditions["linkedFlagVariant"].(string)
	p := atAttribute("conditions").key("linkedFlagVariant")
	if variant == "" || s.LinkedFlagID.IsUnknown() {
		return
	}

	if s.LinkedFlagID.IsNull() {
		found.errorf(p, "linkedFlagVariant without a linked flag", "is %q, but no flag is linked. Set linked_flag_id to the flag that has the variant.", variant)
		return
	}

	filters, ok := s.LinkedFlag.Attributes()["filters"].(jsontypes.Normalized)
	if !ok || !attribute.IsKnown(filters) || variant == "any" {
		return
	}

	if there := variantsOf(filters.ValueString()); !slices.Contains(there, variant) {
		list := "none"
		if len(there) > 0 {
			list = strings.Join(there, ", ")
		}
		found.warnf(p, "Unknown variant of the linked flag",
			"is %q. The variants of flag %d, when it was last read, are: %s.", variant, s.LinkedFlagID.ValueInt64(), list).dedupKey = variant
	}
}

// variantsOf are the keys of the variants in the filters of a flag.
func variantsOf(filters string) []string {
	var read struct {
		Multivariate *struct {
			Variants []struct {
				Key string `json:"key"`
			} `json:"variants"`
		} `json:"multivariate"`
	}
	if json.Unmarshal([]byte(filters), &read) != nil || read.Multivariate == nil {
		return nil
	}
	var keys []string
	for _, variant := range read.Multivariate.Variants {
		keys = append(keys, variant.Key)
	}
	return keys
}
