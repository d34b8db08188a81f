package reconcile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// Fingerprint is a hash of the attributes of an object that can be written: a plan cannot
// tell objects with the same fingerprint apart.
func Fingerprint(o side.Object) string {
	attributes := maps.Clone(o.Attributes)
	for name, value := range attributes {
		if readOnly[name] || isEmpty(value) {
			delete(attributes, name)
		}
	}
	if conditions, ok := attributes["conditions"]; ok {
		attributes["conditions"] = withActions(conditions, true)
	}

	// Values that were decoded from JSON always encode, with sorted keys.
	text, _ := json.Marshal(map[string]any{"kind": o.Kind, "id": o.ID, "attributes": attributes})
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
