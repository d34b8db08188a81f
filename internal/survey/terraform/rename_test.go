package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A plan that renames surveys in a circle can't be applied in any order, so it is an error.
func TestSurveysThatSwapNames(t *testing.T) {
	t.Parallel()
	const title = "Surveys swap their names"
	for name, c := range map[string]struct {
		names []string
		last  []string
	}{
		"two":                     {[]string{"b", "a"}, []string{`  "b" becomes "a"`, `  "a" becomes "b"`}},
		"three":                   {[]string{"b", "c", "a"}, []string{`  "c" becomes "a"`, `  "a" becomes "b"`, `  "b" becomes "c"`}},
		"spaces":                  {[]string{"b ", " a"}, []string{`  "b" becomes "a"`}},
		"a chain":                 {[]string{"b", "c", "d"}, nil},
		"one":                     {[]string{"new"}, nil},
		"to the same with spaces": {[]string{"a "}, nil},
		"one changes its mind":    {[]string{"b", "b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			surveys := env.Resources(t, "posthog_survey", len(c.names))
			for i := range surveys {
				require.Empty(t, surveys[i].Apply(with(object{"name": string(rune('a' + i))})).Errors().Text())
			}

			for i, survey := range surveys {
				text := survey.Plan(with(object{"name": c.names[i]})).Diagnostics.Errors().Text()
				if i < len(surveys)-1 || c.last == nil {
					assert.NotContains(t, text, title)
					continue
				}
				assert.Contains(t, text, title)
				for _, line := range c.last {
					assert.Contains(t, text, line)
				}
			}
		})
	}
}

// If a survey was to swap its name but no longer does, it doesn't block the other survey.
func TestSwapThatIsGivenUp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	surveys := env.Resources(t, "posthog_survey", 2)
	a, b := surveys[0], surveys[1]
	require.Empty(t, a.Apply(with(object{"name": "a"})).Errors().Text())
	require.Empty(t, b.Apply(with(object{"name": "b"})).Errors().Text())

	require.Empty(t, a.Plan(with(object{"name": "b"})).Diagnostics.Errors().Text())
	require.Empty(t, a.Plan(with(object{"name": "a", "description": "kept"})).Diagnostics.Errors().Text())
	assert.Empty(t, b.Plan(with(object{"name": "a"})).Diagnostics.Errors().Text())
}
