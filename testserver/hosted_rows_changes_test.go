package testserver_test

import (
	"fmt"
	"slices"
)

// hostedChanges are the numbered changes of the hosted service that concern writes of
// surveys and what they are answered with. A test names each; those about the rest of
// the service are in hostedChangesAround.
func hostedChanges() []string {
	var rules []string
	for n := 2; n <= 37; n++ {
		if slices.Contains([]int{4, 5, 13, 16, 17, 27, 28, 29, 30, 31, 32, 34, 35, 36, 37}, n) {
			continue
		}
		rules = append(rules, fmt.Sprintf("C%d ", n))
	}
	// The rules of targeting filters by their numbers.
	for n := 1; n <= 24; n++ {
		rules = append(rules, fmt.Sprintf("T%d ", n))
	}
	return rules
}
