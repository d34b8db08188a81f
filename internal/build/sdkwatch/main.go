// Command sdkwatch compares the table of SDK versions with the one from which the service
// warns (frontend/src/scenes/surveys/surveyVersionRequirements.ts of PostHog/posthog), and
// reports what differs. It exits with 2 when something differs, with 1 when the file cannot be
// read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
)

func main() {
	file := flag.String("requirements", "", "`file` of the service's table, in TypeScript")
	flag.Parse()

	code, err := run(*file, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sdkwatch:", err)
	}
	os.Exit(code)
}

// run compares the table with that in a file and returns the exit code.
func run(file string, out io.Writer) (int, error) {
	if file == "" {
		return 1, errors.New("give the service's table with -requirements FILE (make sdk-watch FILE=...)")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 1, err
	}
	theirs, err := parse(string(text))
	if err != nil {
		return 1, fmt.Errorf("%s: %w", file, err)
	}

	differences := compare(sdkversion.Features(), theirs)
	for _, difference := range differences {
		if _, err := fmt.Fprintln(out, difference); err != nil {
			return 1, err
		}
	}
	if _, err := fmt.Fprintf(out, "%d features in the service's table, %d differences.\n", len(theirs), len(differences)); err != nil {
		return 1, err
	}
	if len(differences) > 0 {
		return 2, nil
	}
	return 0, nil
}
