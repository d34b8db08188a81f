// Command contractwatch compares a schema document of the service with openapi.yaml:
// both are cut to the operations that this project calls, and what differs is reported:
// query parameters, statuses of success, and of every field what a schema says of it. It exits with 2 when
// something differs, with 1 when a document cannot be read.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

func main() {
	file := flag.String("schema", "", "`file` of the service's schema document, YAML or JSON")
	format := flag.String("format", "text", "of the report: text or json")
	flag.Parse()

	code, err := run(*file, *format, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "contractwatch:", err)
	}
	os.Exit(code)
}

// run compares the document in a file with the contract and returns the exit code.
func run(file, format string, out io.Writer) (int, error) {
	if file == "" || format != "text" && format != "json" {
		return 1, fmt.Errorf("give the document with -schema FILE, and text or json with -format")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 1, err
	}

	ours, err := parse(api.Document())
	if err != nil {
		return 1, fmt.Errorf("openapi.yaml: %w", err)
	}
	theirs, err := parse(text)
	if err != nil {
		return 1, fmt.Errorf("%s: %w", file, err)
	}

	differences := compare(ours, theirs)
	if err := write(out, format, differences); err != nil {
		return 1, err
	}
	if len(differences) > 0 {
		return 2, nil
	}
	return 0, nil
}

// write prints the report.
func write(out io.Writer, format string, differences []difference) error {
	if format == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Format      int          `json:"format"`
			Differences []difference `json:"differences"`
		}{1, differences})
	}

	for _, d := range differences {
		if _, err := fmt.Fprintln(out, d); err != nil {
			return err
		}
	}
	noun := "differences"
	if len(differences) == 1 {
		noun = "difference"
	}
	_, err := fmt.Fprintf(out, "%d %s.\n", len(differences), noun)
	return err
}
