package cli

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

// Everything that doctor finds has words.
func TestFindingsOfDoctorHaveWords(t *testing.T) {
	t.Parallel()
	words := doctorWords{program: "1.2.3", source: &live{}}
	for _, code := range doctor.Codes() {
		text := words.of(doctor.Finding{Code: code, Name: "name", Value: "value", Err: errors.New("refused"), Needs: doctor.Conditions{URL: "/x", DeviceTypes: []string{"Mobile"}}})
		assert.NotEmpty(t, text, code)
		assert.NotContains(t, text, string(code)+"_")
		assert.NotContains(t, text, "%!", "every value of the words is set")
	}
	assert.Len(t, doctor.Codes(), len(serviceWords)+len(plannerWords)+len(surveyWords)+len(visitWords))
}
