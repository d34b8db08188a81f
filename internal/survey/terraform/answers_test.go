package terraform_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers/inprocess"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// For any changes in PostHog and in the configuration, answers stay with their questions through plan, apply, and
// import.
func TestProviderKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			answers.Check(t, func(*rapid.T) answers.Adapter { return inprocess.New(t, env, profile) })
		})
	}
}
