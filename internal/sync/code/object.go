// Package code reads, writes, merges, and protects Terraform configuration files. It generates HCL
// from the provider's models, tracks which files in a directory were written by an export, and merges
// edits made in PostHog into hand-written files.
//
// The package must not parse a file that could exhaust the parser, and must write each file either
// completely or not at all. For generated files, start reading at [Object]. For edited files, start
// at [SourceFile.Merge].
package code

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/gosimple/slug"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	model "github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Resource types.
const (
	SurveyType = "posthog_survey"
	AppType    = "posthog_pipeline_import_app"
)

// Address is the address of a resource within its module.
type Address struct{ Type, Label string }

// NewAddress returns an object's address: the resource type, the object's name in lower snake case, and
// the end of its ID. Every export therefore returns the same address as long as the name does not change.
func NewAddress(typ, name, id string) Address {
	id = strings.ReplaceAll(inLabel(id), "_", "")
	return Address{typ, Word(name, otherwise[typ]) + "_" + id[max(0, len(id)-suffixLength):]}
}

// NewLongAddress returns an address with the object's whole ID. It is used if NewAddress returns the same
// address for another object.
func NewLongAddress(typ, name, id string) Address {
	return Address{typ, Word(name, otherwise[typ]) + "_" + inLabel(id)}
}

// SurveyLabel returns the label of a survey's resource, which other file names also use. It is unique, and
// does not change while the survey keeps its name.
func SurveyLabel(name, id string) string { return NewAddress(SurveyType, name, id).Label }

// otherwise maps resource types to the label for names without letters.
var otherwise = map[string]string{SurveyType: "survey", AppType: "app"}

// String returns the address in Terraform's notation.
func (a Address) String() string { return a.Type + "." + a.Label }

// traversal returns the address as a reference, which is written unchanged. A label that is not an
// identifier would become code, and is a bug in this program.
func (a Address) traversal() hcl.Traversal {
	if !hclsyntax.ValidIdentifier(a.Label) {
		panic(fmt.Sprintf("the label %q is not an identifier", a.Label))
	}
	return hcl.Traversal{hcl.TraverseRoot{Name: a.Type}, hcl.TraverseAttr{Name: a.Label}}
}

// Object is the configuration of an object. It consists of an import block and a resource block.
type Object struct {
	Address
	// ImportID is the ID in the import block.
	ImportID string
	// Name is the object's name, from which the label is derived.
	Name string
	// Flags maps the keys of the feature flags in the configuration to their IDs.
	Flags map[string]int64
	// Withheld contains the keys of config_schema fields whose secret defaults are not written.
	Withheld []string

	arguments []entry
	rendered  []byte
}

// Render renders the object, so that Bytes only returns the result.
func (o *Object) Render() { o.rendered = o.render() }

// Bytes returns the two formatted blocks, without blank lines around them.
func (o *Object) Bytes() []byte {
	if o.rendered == nil {
		o.Render()
	}
	return o.rendered
}

func (o *Object) render() []byte {
	file := hclwrite.NewEmptyFile()

	imported := file.Body().AppendNewBlock("import", nil).Body()
	imported.SetAttributeTraversal("to", o.traversal())
	imported.SetAttributeValue("id", cty.StringVal(o.ImportID))
	file.Body().AppendNewline()

	resource := file.Body().AppendNewBlock("resource", []string{o.Type, o.Label}).Body()
	for _, a := range o.arguments {
		resource.SetAttributeRaw(a.key, a.tokens)
	}
	if len(o.Withheld) > 0 {
		o.renderLifecycle(resource)
	}
	return trimmedBytes(file)
}

// renderLifecycle prevents a plan from removing defaults that the configuration omits.
func (o *Object) renderLifecycle(resource *hclwrite.Body) {
	resource.AppendNewline()
	resource.AppendUnstructuredTokens(hclwrite.Tokens{{
		Type:  hclsyntax.TokenComment,
		Bytes: []byte("# Defaults of secret fields are not written here: the service keeps its config_schema.\n"),
	}})
	ignored := hclwrite.TokensForTuple([]hclwrite.Tokens{hclwrite.TokensForIdentifier("config_schema")})
	resource.AppendNewBlock("lifecycle", nil).Body().SetAttributeRaw("ignore_changes", ignored)
}

// MovedBlock returns a moved block from source to target.
func MovedBlock(source, target Address) []byte {
	file := hclwrite.NewEmptyFile()
	moved := file.Body().AppendNewBlock("moved", nil).Body()
	moved.SetAttributeTraversal("from", source.traversal())
	moved.SetAttributeTraversal("to", target.traversal())
	return trimmedBytes(file)
}

// trimmedBytes returns a file's text. hclwrite's Bytes formats it like terraform fmt. Calling
// hclwrite.Format would parse the file again, which takes half the time of an export.
func trimmedBytes(file *hclwrite.File) []byte { return bytes.TrimSpace(file.Bytes()) }

const (
	// longestLabel is the maximum length of an object's name in a label.
	longestLabel = 40
	// suffixLength is the length of the ID in a label. The label contains the random end of a UUID,
	// because the beginning can be a timestamp.
	suffixLength = 8
)

// inLabel returns the part of an ID that a label contains.
func inLabel(id string) string {
	return notInLabel.ReplaceAllString(strings.ReplaceAll(strings.ToLower(id), "-", "_"), "")
}

// notInLabel matches the characters that a label must not contain. IDs are validated when objects are
// read, but labels appear in code and file names, so this also protects other callers.
var notInLabel = regexp.MustCompile(`[^a-z0-9_]`)

// Word converts a text to an ASCII identifier in lower snake case. It cuts a long text between two
// words. If no letter remains, it returns otherwise.
func Word(text, otherwise string) string {
	word := strings.ReplaceAll(slug.Make(text), "-", "_")
	if len(word) > longestLabel {
		word = word[:longestLabel+1]
		word = word[:max(strings.LastIndexByte(word, '_'), longestLabel/2)]
	}
	word = strings.Trim(word, "_")

	switch {
	case word == "":
		return otherwise
	case word[0] >= '0' && word[0] <= '9':
		return otherwise + "_" + word
	}
	return word
}

// callTokens returns a call of a function with one argument. It does not use TokensForFunctionCall,
// which formats the argument, because the whole file is formatted later.
func callTokens(function string, argument hclwrite.Tokens) hclwrite.Tokens {
	tokens := hclwrite.Tokens{
		{Type: hclsyntax.TokenIdent, Bytes: []byte(function)},
		{Type: hclsyntax.TokenOParen, Bytes: []byte{'('}},
	}
	tokens = append(tokens, argument...)
	return append(tokens, &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte{')'}})
}

// Quoted is a depth for [Literal] and [JSON] at which texts are always quoted, because a heredoc would
// need its own line.
const Quoted = -1 << 20

// Order returns the order of the arguments of a resource.
func Order(resourceType string) []string {
	if resourceType == AppType {
		return model.Names(&importapp.Model{})
	}
	return model.Names(&survey.Model{})
}

// QuestionOrder returns the order of a question's attributes.
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

// QuestionName derives a name from the text of a target question. The name differs from all taken
// names, and is marked as taken.
func QuestionName(text string, place int, isTaken map[string]bool) string {
	return Unique(questionName(text, place), isTaken)
}
