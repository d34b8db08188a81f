package source

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Secret is a value that a plan or a state marks as sensitive. Comparisons use the value itself, but reports
// print a placeholder. Equal values in a plan have the same placeholder.
type Secret struct {
	// number is the secret's index among the distinct secrets of a plan or a state. It is 0 if only one secret
	// is printed.
	number int
	value  any
}

// NewSecret returns the secret for a value. Equal values in a plan must have the same number.
func NewSecret(number int, value any) Secret { return Secret{number, value} }

// String returns the placeholder.
func (s Secret) String() string {
	if s.number == 0 {
		return "(sensitive value)"
	}
	return fmt.Sprintf("(sensitive value %d)", s.number)
}

// GoString prevents %#v from printing the value.
func (s Secret) GoString() string { return s.String() }

// MarshalJSON encodes the placeholder.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Plain returns a value for comparisons. For a secret, it returns the secret value, which must not be
// printed.
func Plain(value any) any {
	if secret, ok := value.(Secret); ok {
		return secret.value
	}
	return value
}

// Hidden returns the placeholder for a value whose counterpart is secret. It returns nil for nil.
func Hidden(value any) any {
	switch value := value.(type) {
	case nil, Secret:
		return value
	default:
		return Secret{value: value}
	}
}

// IsSecret reports whether a value is marked as sensitive.
func IsSecret(value any) bool {
	_, ok := value.(Secret)
	return ok
}

// Shown returns a value for the flow and the renderer, with placeholders instead of secret texts. It keeps
// secret numbers and booleans, such as a scale, because the flow depends on them. It omits secret JSON.
func Shown(value any) any {
	return jsonvalue.Rewrite(value, func(_ string, value any) (any, bool) {
		secret, ok := value.(Secret)
		if !ok {
			return value, false
		}
		switch plain := secret.value.(type) {
		case string:
			return secret.String(), true
		case json.Number, bool:
			return plain, true
		}
		return nil, true
	})
}
