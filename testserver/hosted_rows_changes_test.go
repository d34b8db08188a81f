package testserver_test

import "fmt"

// hostedChanges are the numbered changes of the hosted service that concern writes of
// surveys and what they are answered with. A test names each; those about the rest of
// the service are in hostedChangesAround.
func hostedChanges() []string {
	var rules []string
	for n := 2; n <= 37; n++ {
		rules = append(rules, fmt.Sprintf("C%d ", n))
	}
	// The rules of targeting filters by their numbers.
	for n := 1; n <= 24; n++ {
		rules = append(rules, fmt.Sprintf("T%d ", n))
	}
	return rules
}
