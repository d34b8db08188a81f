package check

import "github.com/hashicorp/terraform-plugin-framework/diag"

// language is the language in which a finding's reader writes surveys.
type language int

const (
	inTerraform language = iota
	inYAML
)

// remedy is advice that depends on the language.
type remedy [2]string

var (
	mappingRemedy = remedy{"It must be a JSON object. Use jsonencode({ ... }).", "It must be a mapping."}
	// Without the function questions, Terraform drops question names and the names in branching.
	namesRemedy = remedy{
		"To refer to a question by name, wrap the list: questions = provider::posthog::questions([ ... ]).",
		"Set the name of the question, and refer to it with question: NAME.",
	}
)

// detail returns a finding's complete text.
func (f finding) detail(reader language) string {
	text := f.String() + " " + f.text
	if advice := f.remedy[reader]; advice != "" {
		text += " " + advice
	}
	return text + f.after
}

// Finding is the result of a check, for readers who do not use Terraform.
type Finding struct {
	Code    Code
	IsError bool
	// Path is the finding's location. Text starts with it.
	Path, Text string
}

// InYAML returns the findings for readers who write YAML.
func (f Findings) InYAML() []Finding {
	findings := make([]Finding, len(f))
	for i, item := range f {
		findings[i] = Finding{item.kind.code, item.severity == diag.SeverityError, item.String(), item.detail(inYAML)}
	}
	return findings
}
