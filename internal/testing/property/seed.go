// Package property supports property tests: it fixes the seed, generates hostile text, and determines how programs
// interpret the text. All packages with property tests import it, some only to fix the seed.
package property

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag rapid.seed
)

// seed makes property tests generate the same inputs in every run, so that a failure is caused by the change under
// test. To test other inputs, use make test-random, or -rapid.seed=0 for a new seed in each run. Any number except
// 0 is valid.
const seed = "20260102"

func init() {
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic("property: " + err.Error())
	}
}
