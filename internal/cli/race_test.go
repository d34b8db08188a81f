//go:build race

package cli

// fleetSurveys is small under the race detector, which makes each survey ten times as
// expensive: .ci/run runs TestScale without it.
const fleetSurveys = 10
