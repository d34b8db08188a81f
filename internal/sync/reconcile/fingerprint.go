package reconcile

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Fingerprint is a hash of the attributes of an object that can be written: a plan cannot
// tell objects with the same fingerprint apart. That of an object with secret values is the
// same in this process alone, since reports print it: nobody can try values against it.
// Package apply compares it with that of the plan right before each write.
func Fingerprint(o side.Object) string {
	attributes := maps.Clone(o.Attributes)
	for name, value := range attributes {
		if readOnly[name] || jsonvalue.IsEmpty(value) {
			delete(attributes, name)
		}
	}
	if conditions, ok := attributes["conditions"]; ok {
		attributes["conditions"] = withActions(conditions, true)
	}

	// Values that were decoded from JSON always encode, with sorted keys.
	text, _ := json.Marshal(map[string]any{"kind": o.Kind, "id": o.ID, "attributes": withDigests(attributes)})
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// withDigests is a value with a digest in place of each secret, which would print as the same
// text whatever it is.
func withDigests(value any) any {
	switch value := value.(type) {
	case side.Secret:
		return map[string]string{"secret": digest(side.Plain(value))}
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = withDigests(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[name] = withDigests(member)
		}
		return object
	}
	return value
}

// digestKey is the key of all digests of this process.
var digestKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
})

func digest(secret any) string {
	text, _ := json.Marshal(secret) // decoded from JSON
	mac := hmac.New(sha256.New, digestKey())
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}
