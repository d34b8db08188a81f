// Package property supports property tests: the same inputs in every run, hostile text, and the
// results of programs that read the text. Packages that draw inputs import it, some only for its
// side effect of fixing the seed.
package property

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag
)

// seed makes property tests draw the same inputs in every run, so that a failure is caused by the
// change under test. To look for other inputs, use make test-random, or -rapid.seed=0 for a new seed
// in each run. It is any number but 0.
const seed = "20260102"

func init() {
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic("property: " + err.Error())
	}
}
