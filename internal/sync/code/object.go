// Package code reads, writes, merges, and protects Terraform configuration files. It generates HCL
// from the provider's models, tracks which files of a directory an export wrote, and merges edits
// made in PostHog into hand-written files.
//
// The package must not parse a file that could exhaust the parser, and must write each file
// completely or not at all. Start reading at [Object] for generated files, and at
// [SourceFile.Merge] for edited ones.
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

// The types of the resources.
const (
	SurveyType = "posthog_survey"
	AppType    = "posthog_pipeline_import_app"
)

// Address is the address of a resource in its module.
type Address struct{ Type, Label string }

// NewAddress is the address of an object's resource: the name of the object in lower snake case
// and the end of its id. It depends on nothing else, so that it is the same at every export while
// the object has its name.
func NewAddress(typ, name, id string) Address {
	id = strings.ReplaceAll(inLabel(id), "_", "")
	return Address{typ, Word(name, otherwise[typ]) + "_" + id[max(0, len(id)-suffixLength):]}
}

// NewLongAddress is an address with the whole id of the object, for the case that another
// object has its address: two names that begin alike, and ids that end alike.
func NewLongAddress(typ, name, id string) Address {
	return Address{typ, Word(name, otherwise[typ]) + "_" + inLabel(id)}
}

// SurveyLabel is the label of a survey's resource, for other files that are named after
// surveys: it is unique and stays the same while the survey has its name.
func SurveyLabel(name, id string) string { return NewAddress(SurveyType, name, id).Label }

// otherwise is what replaces a name of which no letter is left, by resource type.
var otherwise = map[string]string{SurveyType: "survey", AppType: "app"}

// String is the address as Terraform writes it.
func (a Address) String() string { return a.Type + "." + a.Label }

// traversal is the address as a reference, which is written as it is: a label that is no
// identifier would be code, and is a defect of this program.
func (a Address) traversal() hcl.Traversal {
	if !hclsyntax.ValidIdentifier(a.Label) {
		panic(fmt.Sprintf("the label %q is not an identifier", a.Label))
	}
	return hcl.Traversal{hcl.TraverseRoot{Name: a.Type}, hcl.TraverseAttr{Name: a.Label}}
}

// Object is the configuration of an object: an import block and a resource block.
type Object struct {
	Address
	// ImportID is the id in the import block.
	ImportID string
	// Name is the object's name, which the label is made of.
	Name string
	// Flags are the keys of the feature flags that the code refers to, with their ids.
	Flags map[string]int64
	// Withheld are the keys of the fields of config_schema whose defaults are secret, and not
	// written.
	Withheld []string

	arguments []entry
	rendered  []byte
}

// Render prepares Bytes.
func (o *Object) Render() { o.rendered = o.render() }

// Bytes are the two blocks, formatted, without blank lines around them.
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

// renderLifecycle keeps a plan from removing the defaults that are not written.
func (o *Object) renderLifecycle(resource *hclwrite.Body) {
	resource.AppendNewline()
	resource.AppendUnstructuredTokens(hclwrite.Tokens{{
		Type:  hclsyntax.TokenComment,
		Bytes: []byte("# Defaults of secret fields are not written here: the service keeps its config_schema.\n"),
	}})
	ignored := hclwrite.TokensForTuple([]hclwrite.Tokens{hclwrite.TokensForIdentifier("config_schema")})
	resource.AppendNewBlock("lifecycle", nil).Body().SetAttributeRaw("ignore_changes", ignored)
}

// MovedBlock returns a moved block.
func MovedBlock(source, target Address) []byte {
	file := hclwrite.NewEmptyFile()
	moved := file.Body().AppendNewBlock("moved", nil).Body()
	moved.SetAttributeTraversal("from", source.traversal())
	moved.SetAttributeTraversal("to", target.traversal())
	return trimmedBytes(file)
}

// trimmedBytes is the text of a file. Bytes lays it out as terraform fmt does: hclwrite.Format
// would read all of it once more, which is half the time of writing it.
func trimmedBytes(file *hclwrite.File) []byte { return bytes.TrimSpace(file.Bytes()) }

const (
	// longestLabel is how much of an object's name goes into the label of its resource.
	longestLabel = 40
	// suffixLength is how much of a survey's id does: the random end of a UUID, of which
	// the beginning may be a time.
	suffixLength = 8
)

// inLabel is an id as a part of a label.
func inLabel(id string) string {
	return notInLabel.ReplaceAllString(strings.ReplaceAll(strings.ToLower(id), "-", "_"), "")
}

// notInLabel is what no label has. Ids are checked where objects are read; this is for
// those that come another way, since labels are code and names of files.
var notInLabel = regexp.MustCompile(`[^a-z0-9_]`)

// Word is a text in lower snake case, in ASCII, as an identifier: cut between two
// words if it is long, and otherwise for a text of which nothing is left.
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

// callTokens writes the call of a function with one argument. TokensForFunctionCall would lay
// the argument out, and the file lays out all of it once more.
func callTokens(function string, argument hclwrite.Tokens) hclwrite.Tokens {
	tokens := hclwrite.Tokens{
		{Type: hclsyntax.TokenIdent, Bytes: []byte(function)},
		{Type: hclsyntax.TokenOParen, Bytes: []byte{'('}},
	}
	tokens = append(tokens, argument...)
	return append(tokens, &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte{')'}})
}

// Quoted is a depth for [Literal] and [JSON] at which text is written in quotes, never
// as a heredoc, which needs a line of its own.
const Quoted = -1 << 20

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
func QuestionName(text string, place int, isTaken map[string]bool) string {
	return Unique(questionName(text, place), isTaken)
}
