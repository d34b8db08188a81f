//go:build !race

package cli

// fleetSurveys is how many surveys a project of the fleet has.
const fleetSurveys = 100
