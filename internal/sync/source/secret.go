package source

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Secret is a value that a plan or a state marks as sensitive. It is compared like the value
// itself, and prints as a text that stands for it: the same for equal values of a plan.
type Secret struct {
	// number counts the distinct values of a plan or a state; 0 where only one is shown.
	number int
	value  any
}

// NewSecret returns the secret of a value. The number is the same for equal values of a plan.
func NewSecret(number int, value any) Secret { return Secret{number, value} }

// String is the text in place of the value.
func (s Secret) String() string {
	if s.number == 0 {
		return "(sensitive value)"
	}
	return fmt.Sprintf("(sensitive value %d)", s.number)
}

// GoString keeps the value out of %#v, too.
func (s Secret) GoString() string { return s.String() }

// MarshalJSON encodes the text in place of the value.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Plain is a value for comparing, which must not be printed: that of a secret, or the value
// itself.
func Plain(value any) any {
	if secret, ok := value.(Secret); ok {
		return secret.value
	}
	return value
}

// Hidden is a value as it is printed where its counterpart is secret; nil stays nil.
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

// Shown is a value as the flow and the renderer take it: with texts in place of secret ones.
// They are made of numbers and switches, such as a scale, so these stay; secret JSON is left
// out.
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
