package client

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// redactedValue replaces a sensitive value of a request.
const redactedValue = "[sensitive value]"

// shortestValue is the length from which a sensitive value is looked for in texts: a
// shorter one is found in any text.
const shortestValue = 4

type secretsKey struct{}

// WithSecrets returns a context whose requests hold sensitive values. What the service says
// in response to them appears in errors and logs without these values, in whatever spelling
// the service repeats them.
func WithSecrets(ctx context.Context, values ...string) context.Context {
	secrets := map[string]string{}
	for _, value := range values {
		if len(value) >= shortestValue {
			secrets[value] = redactedValue
		}
	}
	if len(secrets) == 0 {
		return ctx
	}
	return context.WithValue(ctx, secretsKey{}, redactor(secrets))
}

// hideIn returns what takes the sensitive values of a request out of a text.
func hideIn(ctx context.Context) func(string) string {
	if hide, ok := ctx.Value(secretsKey{}).(func(string) string); ok {
		return hide
	}
	return func(text string) string { return text }
}

// redactor replaces each secret by its placeholder, in each of its spellings.
func redactor(secrets map[string]string) func(string) string {
	// Of two that begin alike, the longer is looked for first.
	longestFirst := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var forms []string
	for _, secret := range longestFirst {
		for _, form := range spellings(secret) {
			forms = append(forms, form, secrets[secret])
		}
	}
	return strings.NewReplacer(forms...).Replace
}
