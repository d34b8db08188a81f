//go:build race

package cli

// The race detector makes each survey ten times as expensive, so sizes are small under
// it: .ci/run runs the tests at scale without it.
const (
	fleetSurveys  = 10
	sideSurveys   = 100
	randomReviews = 10
)
