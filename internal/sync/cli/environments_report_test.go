package cli

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// withoutReport are the verbs that print no report, or one of all environments anyway.
var withoutReport = map[string]bool{"draw": true, "keys": true, "preview": true, "shard": true, "merge-reports": true}

// Every verb with a report can be in the report of all environments.
func TestEveryReportCanBeMerged(t *testing.T) {
	t.Parallel()

	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			walk(child)
		}
		if verb := verbOf(cmd); cmd.RunE != nil && verb != "" && !withoutReport[verb] {
			assert.Contains(t, reportOf, verb, "add the type of its report to reportOf, or the verb to withoutReport")
		}
	}
	walk(Command())
}
