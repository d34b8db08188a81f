package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/pull"
)

// pullReport says what a pull wrote, and what it left.
type pullReport struct {
	Directory string        `json:"directory"`
	Files     []string      `json:"files"`
	Findings  []pullFinding `json:"findings"`
	// Diff is that of a dry run.
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
	for _, one := range findings {
		r.Findings = append(r.Findings, pullFinding{
			Outcome: string(one.Outcome), File: one.File, Line: one.Line, Address: one.Resource.Address, Attribute: one.Attribute,
			Code: plainValue(one.Code), Live: plainValue(one.Live), Reason: one.Reason,
		})
	}
	return r
}

// plainValue is a value as encoding/json writes it.
func plainValue(value any) any {
	switch value := value.(type) {
	case hcledit.JSON:
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	case hcledit.Unknown:
		return "(known after apply)"
	}
	return value
}

// check takes in what a plan after the pull found: nothing that was not left before.
func (r *pullReport) check(findings []pull.Finding) {
	for _, one := range newPullReport(r.Directory, nil, findings).Findings {
		known := slices.ContainsFunc(r.Findings, func(before pullFinding) bool {
			return before.Outcome != string(hcledit.Edited) && before.Address == one.Address &&
				(before.Attribute == "" || pull.Root(before.Attribute) == pull.Root(one.Attribute))
		})
		if known {
			continue
		}
		if one.Outcome == string(hcledit.Edited) {
			one.Outcome, one.Reason = string(hcledit.Left), "a plan still changes it: the value that was written is not the live one"
		}
		r.Findings = append(r.Findings, one)
	}
}

// left is how many differences there still are.
func (r pullReport) left() int {
	left := 0
	for _, one := range r.Findings {
		if one.Outcome != string(hcledit.Edited) {
			left++
		}
	}
	return left
}

// Text implements report.
func (r pullReport) Text(w io.Writer) error {
	var b strings.Builder
	for _, one := range r.Findings {
		fmt.Fprintf(&b, "%-8s %s %s", one.Outcome, one.place(), strings.TrimSpace(one.Address+" "+one.Attribute))
		if words := one.words(shortText); words != "" {
			b.WriteString(": " + words)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s in %s, %d left\n", count(len(r.Findings)-r.left(), "edit"), count(len(r.Files), "file"), r.left())
	_, err := io.WriteString(w, b.String())
	return err
}

// place is the file and line of a finding.
func (f pullFinding) place() string {
	if f.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// The longest values that are printed.
const (
	shortText = 60
	longText  = 200
)

// words say what the values are, why it was left, and who did it.
func (f pullFinding) words(longest int) string {
	var words []string
	switch {
	case f.Code == nil && f.Live == nil:
	case f.Code == nil:
		words = append(words, "new "+shown(f.Live, longest))
	case f.Live == nil:
		words = append(words, "gone "+shown(f.Code, longest))
	case f.Outcome == string(hcledit.Edited):
		words = append(words, shown(f.Code, longest)+" -> "+shown(f.Live, longest))
	default:
		words = append(words, fmt.Sprintf("code %s, live %s", shown(f.Code, longest), shown(f.Live, longest)))
	}
	if f.Reason != "" {
		words = append(words, f.Reason)
	}
	if f.By != "" {
		words = append(words, fmt.Sprintf("by %s at %s", f.By, f.At))
	}
	return strings.Join(words, "; ")
}

// shown is a value in one line.
func shown(value any, longest int) string {
	if value == pull.Withheld {
		return pull.Withheld
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return fmt.Sprint(value)
	}
	text := []rune(strings.TrimSpace(b.String()))
	if len(text) > longest {
		return string(text[:longest]) + "..."
	}
	return string(text)
}

// Markdown implements report.
func (r pullReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Pull into `%s`: %s in %s, %d left\n", r.Directory, count(len(r.Findings)-r.left(), "edit"), count(len(r.Files), "file"), r.left())
	if len(r.Findings) > 0 {
		b.WriteString("\n| | place | attribute | |\n|--|--|--|--|\n")
	}
	for _, one := range r.Findings {
		words := strings.NewReplacer("|", `\|`, "\n", " ").Replace(one.words(longText))
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s |\n", one.Outcome, one.place(), strings.TrimSpace(one.Address+" "+one.Attribute), words)
	}
	if r.Diff != "" {
		b.WriteString("\n```diff\n" + r.Diff + "```\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
