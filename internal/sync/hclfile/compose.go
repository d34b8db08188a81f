package hclfile

import (
	"github.com/hashicorp/hcl/v2/hclwrite"

	model "github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Quoted is a depth for [Literal] and [JSON] at which text is written in quotes, never
// as a heredoc, which needs a line of its own.
const Quoted = -1 << 20

// Entry is a key of an object with its expression.
type Entry struct {
	Key    string
	Tokens hclwrite.Tokens
}

// ObjectOf writes an object, each key on a line of its own.
func ObjectOf(entries []Entry) hclwrite.Tokens {
	converted := make([]entry, len(entries))
	for i, one := range entries {
		converted[i] = entry{one.Key, one.Tokens}
	}
	return object(converted)
}

// ListOf writes a list, each element on a line of its own.
func ListOf(elements []hclwrite.Tokens) hclwrite.Tokens { return listOf(elements) }

// KeyText is a key of an object as it is written, in quotes where it needs them.
func KeyText(name string) string { return string(key(name).Bytes()) }

// Order is the order in which the arguments of a resource are written.
func Order(resourceType string) []string {
	if resourceType == AppType {
		return model.Names(&importapp.Model{})
	}
	return model.Names(&survey.Model{})
}

// QuestionOrder is the order in which the attributes of a question are written.
func QuestionOrder() []string {
	order := []string{"name"}
	for _, name := range model.Names(&survey.Question{}) {
		if name != branchingName {
			order = append(order, name)
		}
	}
	return append(order, branchingName)
}

const branchingName = "branching"

// QuestionName is a name for a question that branching leads to, made of its text, and
// unlike those that are taken already. It takes the name.
func QuestionName(text string, place int, taken map[string]bool) string {
	return unique(questionName(text, place), taken)
}
