// Package hclfile generates configuration in HCL from the models of the provider. Packages
// survey and importapp decide which attributes a configuration needs, and the caller where
// files are and who owns them.
package hclfile

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// The types of the resources.
const (
	SurveyType = "posthog_survey"
	AppType    = "posthog_pipeline_import_app"
)

// Address is the address of a resource in its module.
type Address struct{ Type, Label string }

// NewAddress is the address of an object's resource.
func NewAddress(typ, name, id string) Address {
	return Address{typ, labelOf(name, id, otherwise[typ])}
}

// NewLongAddress is an address with the whole id of the object, for the case that another
// object has its address: two names that begin alike, and ids that end alike.
func NewLongAddress(typ, name, id string) Address {
	return Address{typ, longLabel(name, id, otherwise[typ])}
}

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

	arguments []argument
	rendered  []byte
}

// argument is an argument of the resource block.
type argument struct {
	name   string
	tokens hclwrite.Tokens
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
		resource.SetAttributeRaw(a.name, a.tokens)
	}
	if len(o.Withheld) > 0 {
		o.renderIgnored(resource)
	}
	return trimmed(file)
}

// renderIgnored keeps a plan from removing the defaults that are not written.
func (o *Object) renderIgnored(resource *hclwrite.Body) {
	resource.AppendNewline()
	resource.AppendUnstructuredTokens(hclwrite.Tokens{{
		Type:  hclsyntax.TokenComment,
		Bytes: []byte("# Defaults of secret fields are not written here: the service keeps its config_schema.\n"),
	}})
	ignored := hclwrite.TokensForTuple([]hclwrite.Tokens{hclwrite.TokensForIdentifier("config_schema")})
	resource.AppendNewBlock("lifecycle", nil).Body().SetAttributeRaw("ignore_changes", ignored)
}

// Moved returns a moved block.
func Moved(from, to Address) []byte {
	file := hclwrite.NewEmptyFile()
	moved := file.Body().AppendNewBlock("moved", nil).Body()
	moved.SetAttributeTraversal("from", from.traversal())
	moved.SetAttributeTraversal("to", to.traversal())
	return trimmed(file)
}

// trimmed is the text of a file. Bytes lays it out as terraform fmt does: hclwrite.Format
// would read all of it once more, which is half the time of writing it.
func trimmed(file *hclwrite.File) []byte { return bytes.TrimSpace(file.Bytes()) }
