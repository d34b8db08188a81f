//go:build !race

package cli

const (
	// fleetSurveys is how many surveys a project of the fleet has.
	fleetSurveys = 100
	// sideSurveys is how many surveys a side has whose requests are counted.
	sideSurveys = 1000
	// randomReviews is how many random edits are reviewed and applied.
	randomReviews = 100
)
