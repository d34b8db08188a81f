package cli

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/report"
)

// pullReport is the report of pull.
type pullReport struct {
	Directory string        `json:"directory"`
	Files     []string      `json:"files"`
	Findings  []pullFinding `json:"findings"`
	// Diff is the unified diff of a dry run.
	Diff string `json:"diff,omitempty"`
}

// pullFinding is a difference between code and live object.
type pullFinding struct {
	// Outcome is edited, left, conflict or pending.
	Outcome   string `json:"outcome"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Address   string `json:"address"`
	Attribute string `json:"attribute,omitempty"`
	Code      any    `json:"code"`
	Live      any    `json:"live"`
	Reason    string `json:"reason,omitempty"`
	By        string `json:"by,omitempty"`
	At        string `json:"at,omitempty"`
}

func newPullReport(dir string, changes []pull.Change, findings []pull.Finding) pullReport {
	r := pullReport{Directory: dir, Files: []string{}, Findings: []pullFinding{}}
	for _, change := range changes {
		r.Files = append(r.Files, change.Path)
	}
	for _, f := range findings {
		r.Findings = append(r.Findings, pullFinding{
			Outcome: string(f.Outcome), File: f.File, Line: f.Line, Address: f.Resource.Address, Attribute: f.Attribute,
			Code: plainValue(f.Code), Live: plainValue(f.Live), Reason: f.Reason,
		})
	}
	return r
}

// plainValue converts a value for encoding/json.
func plainValue(value any) any {
	switch value := value.(type) {
	case jsonvalue.Text:
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	case hcledit.Unknown:
		return "(known after apply)"
	}
	return value
}

// add adds what was written after a further plan, which also says what is left by now.
func (r *pullReport) add(more pullReport) {
	for _, file := range more.Files {
		if !slices.Contains(r.Files, file) {
			r.Files = append(r.Files, file)
		}
	}
	slices.Sort(r.Files)

	isSuperseded := func(f pullFinding) bool {
		return f.isLeft() || slices.ContainsFunc(more.Findings, func(again pullFinding) bool {
			return !again.isLeft() && again.Address == f.Address && again.Attribute == f.Attribute && reflect.DeepEqual(again.Live, f.Live)
		})
	}
	r.Findings = append(slices.DeleteFunc(r.Findings, isSuperseded), more.Findings...)
}

// check compares the report with that of a plan after the pull. What the plan does not
// change any more is not left: an edit settled it. What it changes, and is not reported as
// left, is added; there should be no such thing.
func (r *pullReport) check(again pullReport) {
	after := again.Findings
	r.Findings = slices.DeleteFunc(r.Findings, func(f pullFinding) bool {
		return f.isLeft() && !slices.ContainsFunc(after, f.isOf)
	})

	for _, f := range after {
		if slices.ContainsFunc(r.Findings, func(before pullFinding) bool { return before.isLeft() && before.isOf(f) }) {
			continue
		}
		if !f.isLeft() {
			f.Outcome, f.Reason = string(hcledit.Unresolved), "a plan still changes it: the value that was written is not the live one"
		}
		r.Findings = append(r.Findings, f)
	}
}

// isLeft reports whether the difference remains.
func (f pullFinding) isLeft() bool { return f.Outcome != string(hcledit.Edited) }

// isOf reports whether two findings are of one argument, or one of them of the whole resource.
func (f pullFinding) isOf(other pullFinding) bool {
	return f.Address == other.Address &&
		(f.Attribute == "" || other.Attribute == "" || pull.Root(f.Attribute) == pull.Root(other.Attribute))
}

// left is the number of differences that remain.
func (r pullReport) left() int {
	left := 0
	for _, f := range r.Findings {
		if f.isLeft() {
			left++
		}
	}
	return left
}

// reported implements result: what is written, and apart from it what is left for a person.
func (r pullReport) reported() report.Report {
	found := report.Report{
		Title: "Pull into " + r.Directory, Noun: "section",
		Summary: fmt.Sprintf("%s in %s, %d left", count(len(r.Findings)-r.left(), "edit"), count(len(r.Files), "file"), r.left()),
	}
	var written, left []pullFinding
	for _, f := range r.Findings {
		if f.isLeft() {
			left = append(left, f)
		} else {
			written = append(written, f)
		}
	}
	if len(written) > 0 {
		found.Sections = append(found.Sections, report.Section{Title: "Written into the code:", Table: findingTable(written)})
	}
	if len(left) > 0 {
		found.Sections = append(found.Sections, report.Section{Title: "Left for a person:", Table: findingTable(left)})
	}
	if r.Diff != "" {
		found.Sections = append(found.Sections, report.Section{Code: r.Diff, Language: "diff"})
	}
	return found
}

// findingTable has differences between code and live objects.
func findingTable(findings []pullFinding) report.Table {
	table := report.Table{Columns: []string{"", "place", "attribute", ""}, Line: "%-8s %s %s: %s"}
	for _, f := range findings {
		table.Add(f.Outcome, f.location(), strings.TrimSpace(f.Address+" "+f.Attribute), f.detail())
	}
	return table
}

// location is the file and line of a finding.
func (f pullFinding) location() string {
	if f.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// longest is the length to which values are cut.
const longest = 100

// detail has the values, the reason for which a difference was left, and who made the edit.
func (f pullFinding) detail() string {
	var parts []string
	isEdit := f.Outcome == string(hcledit.Edited) || f.Outcome == string(hcledit.Unresolved)
	switch {
	case f.Code == nil && f.Live == nil:
	case f.Code == nil && isEdit:
		parts = append(parts, "new "+shown(f.Live))
	case f.Code == nil:
		parts = append(parts, "not in the code, live "+shown(f.Live))
	case f.Live == nil && isEdit:
		parts = append(parts, "gone "+shown(f.Code))
	case f.Live == nil:
		parts = append(parts, "in the code alone "+shown(f.Code))
	case f.Outcome == string(hcledit.Edited):
		parts = append(parts, shown(f.Code)+" -> "+shown(f.Live))
	default:
		parts = append(parts, fmt.Sprintf("code %s, live %s", shown(f.Code), shown(f.Live)))
	}

	if f.Reason != "" {
		parts = append(parts, f.Reason)
	}
	if f.By != "" {
		parts = append(parts, fmt.Sprintf("by %s at %s", f.By, f.At))
	}
	return strings.Join(parts, "; ")
}

// shown formats a value on one line.
func shown(value any) string {
	if value == pull.Redacted {
		return pull.Redacted
	}
	if text, ok := questionInShort(value); ok {
		return text
	}
	text := []rune(lineOfJSON(value))
	if len(text) > longest {
		return string(text[:longest]) + "..."
	}
	return string(text)
}

// questionInShort is the type and the text of a question, which say which one it is.
func questionInShort(value any) (string, bool) {
	question, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	kind, isKind := question["type"].(string)
	text, isText := question["question"].(string)
	return fmt.Sprintf("%s %q", kind, text), isKind && isText
}
