package acctest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Diagnostics are those of one or several calls.
type Diagnostics []*tfprotov6.Diagnostic

// Text is all of them, severity, path, summary and detail, a line each.
func (d Diagnostics) Text() string {
	var b strings.Builder
	for _, one := range d {
		fmt.Fprintf(&b, "%s %s: %s: %s\n", one.Severity, one.Attribute, one.Summary, one.Detail)
	}
	return b.String()
}

// HasError reports whether one of them is an error.
func (d Diagnostics) HasError() bool { return len(d.Errors()) > 0 }

// Errors are the errors among them.
func (d Diagnostics) Errors() Diagnostics {
	var errs Diagnostics
	for _, one := range d {
		if one.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, one)
		}
	}
	return errs
}

// lines are the diagnostics in an order that does not depend on the one in which the
// framework goes through attributes.
func (d Diagnostics) lines() string {
	lines := strings.SplitAfter(d.Text(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}
