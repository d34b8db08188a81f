package reconcile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// Fingerprint is a hash of what people write of an object: two objects with one
// fingerprint are the same to a plan. What the service counts and computes is left out.
func Fingerprint(o side.Object) string {
	attributes := maps.Clone(o.Attributes)
	for name, value := range attributes {
		if filledByService[name] || isEmpty(value) {
			delete(attributes, name)
		}
	}
	if conditions, ok := attributes["conditions"]; ok {
		attributes["conditions"] = withActions(conditions, true)
	}

	// What was decoded from JSON encodes, with sorted keys.
	text, _ := json.Marshal(map[string]any{"kind": o.Kind, "id": o.ID, "attributes": attributes})
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
