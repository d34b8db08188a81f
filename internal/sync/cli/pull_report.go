package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// pullReport is the report of pull.
type pullReport struct {
	Directory string         `json:"directory"`
	Files     []string       `json:"files"`
	Findings  []pull.Finding `json:"findings"`
	// Diff is the unified diff of a dry run.
	Diff string `json:"diff,omitempty"`
}

func newPullReport(dir string, changes []pull.Change, findings []pull.Finding) pullReport {
	r := pullReport{Directory: dir, Files: []string{}, Findings: findings}
	for _, change := range changes {
		r.Files = append(r.Files, change.Path)
	}
	return r
}

// add adds the results of a later plan, which replaces the list of remaining differences. isLast is set
// if pull does not write that plan's edits, so that they also remain.
func (r *pullReport) add(more pullReport, isLast bool) {
	for i := range more.Findings {
		if f := &more.Findings[i]; isLast && !f.IsLeft() {
			f.Outcome, f.Reason = code.Unresolved, "a plan still changes it, because the written value differs from the live value"
		}
	}
	isSuperseded := func(f pull.Finding) bool {
		if f.IsLeft() {
			return !r.decidedByPull(f) || slices.ContainsFunc(more.Findings, func(newer pull.Finding) bool {
				return newer.Kind == code.Detached && newer.Address == f.Address && reflect.DeepEqual(newer.Live, f.Live)
			})
		}
		return slices.ContainsFunc(more.Findings, func(newer pull.Finding) bool {
			return !newer.IsLeft() && newer.Address == f.Address && newer.Attribute == f.Attribute && reflect.DeepEqual(newer.Live, f.Live)
		})
	}
	r.Findings = append(slices.DeleteFunc(r.Findings, isSuperseded), more.Findings...)
	if !isLast {
		r.Files = slices.Compact(slices.Sorted(slices.Values(append(r.Files, more.Files...))))
	}
}

// decidedByPull reports whether a finding is about detached answers under an ID that this pull wrote into the
// configuration. A later plan takes the ID for the user's decision, and does not report them again.
func (r *pullReport) decidedByPull(f pull.Finding) bool {
	return f.Kind == code.Detached && f.Live != nil && slices.ContainsFunc(r.Findings, func(written pull.Finding) bool {
		return !written.IsLeft() && written.Address == f.Address && strings.HasSuffix(written.Attribute, ".id") && reflect.DeepEqual(written.Live, f.Live)
	})
}

// countRemaining returns the number of differences that remain.
func (r pullReport) countRemaining() int {
	count := 0
	for _, f := range r.Findings {
		if f.IsLeft() {
			count++
		}
	}
	return count
}

// asError returns the error for the remaining differences, or nil if no differences remain.
func (r pullReport) asError() error {
	if count := r.countRemaining(); count > 0 {
		return &differencesError{fmt.Sprintf("%s left: see the report", responses.Count(count, "difference"))}
	}
	return nil
}

// toReport implements result. It lists the written values separately from the differences that the user
// must resolve.
func (r pullReport) toReport() report.Report {
	page := report.Report{
		Title: "Pull into " + r.Directory, Noun: "section",
		Summary: fmt.Sprintf("%s in %s, %d to resolve by hand", responses.Count(len(r.Findings)-r.countRemaining(), "edit"), responses.Count(len(r.Files), "file"), r.countRemaining()),
	}
	var written, left []pull.Finding
	for _, f := range r.Findings {
		if f.IsLeft() {
			left = append(left, f)
		} else {
			written = append(written, f)
		}
	}
	if len(written) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "Written to the configuration:", Table: findingTable(written)})
	}
	if len(left) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "To resolve by hand:", Table: findingTable(left)})
	}
	if r.Diff != "" {
		page.Sections = append(page.Sections, report.Section{Code: r.Diff, Language: "diff"})
	}
	return page
}

// findingTable returns a table of differences between configuration and live objects.
func findingTable(findings []pull.Finding) report.Table {
	table := report.Table{Columns: []string{"", "place", "attribute", ""}, Line: "%-8s %s %s: %s"}
	for _, f := range findings {
		table.Add(string(f.Outcome), formatLocation(f), strings.TrimSpace(f.Address+" "+f.Attribute), formatDetail(f))
	}
	return table
}

// formatLocation returns the file and line of a finding.
func formatLocation(f pull.Finding) string {
	if f.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// longest is the maximum length of a value.
const longest = 100

// formatDetail describes the values, the author of the edit, and the reason why a difference remains.
func formatDetail(f pull.Finding) string {
	var parts []string
	isEdit := f.Outcome == code.Edited || f.Outcome == code.Unresolved
	switch {
	case f.Code == nil && f.Live == nil:
	case f.Code == nil && isEdit:
		parts = append(parts, "new "+formatValue(f.Live))
	case f.Code == nil:
		parts = append(parts, "not in the configuration, live "+formatValue(f.Live))
	case f.Live == nil && isEdit:
		parts = append(parts, "gone "+formatValue(f.Code))
	case f.Live == nil:
		parts = append(parts, "only in the configuration: "+formatValue(f.Code))
	case f.Outcome == code.Edited:
		parts = append(parts, formatValue(f.Code)+" -> "+formatValue(f.Live))
	default:
		parts = append(parts, fmt.Sprintf("configuration %s, live %s", formatValue(f.Code), formatValue(f.Live)))
	}

	if f.Reason != "" {
		parts = append(parts, f.Reason)
	}
	if f.By != "" {
		parts = append(parts, fmt.Sprintf("by %s at %s", f.By, f.At))
	}
	return strings.Join(parts, "; ")
}

// formatValue formats a value on one line.
func formatValue(value any) string {
	if value == pull.Redacted {
		return pull.Redacted
	}
	if text, ok := questionInShort(value); ok {
		return text
	}
	text := []rune(excerpt.JSON(value))
	if len(text) > longest {
		return string(text[:longest]) + "..."
	}
	return string(text)
}

// questionInShort returns a question's type and text.
func questionInShort(value any) (string, bool) {
	question, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	kind, isKind := question["type"].(string)
	text, isText := question["question"].(string)
	return fmt.Sprintf("%s %q", kind, text), isKind && isText
}
