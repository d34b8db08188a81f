// Package fixedseed makes property tests draw the same inputs in every run, so that a test
// that fails does so because of the change that it ran for. Packages with property tests
// import it for its effect. Other inputs are for runs that look for them: make test-random,
// or -rapid.seed=0 for a seed of its own in each run.
package fixedseed

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag
)

// seed is any number but 0, which stands for another one in each run.
const seed = "20260102"

func init() {
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic("fixedseed: " + err.Error())
	}
}
