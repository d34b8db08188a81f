package code

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Statements contains the declarations in configuration files that do not belong to an export.
type Statements struct {
	// Imported maps each imported object to its file.
	Imported map[Key]string
	// Resources maps each declared resource of the provider to its file.
	Resources map[Address]string
	// Source is the posthog source in required_providers, and SourceFile is the file that contains it. Both
	// are empty if no file sets a source.
	Source, SourceFile string
	// ProviderBlock is the file with a provider block of this provider, and FlagVariable is the file
	// with the variable for feature flags. They are empty if there is no such file.
	ProviderBlock, FlagVariable string
}

func newStatements() Statements {
	return Statements{Imported: map[Key]string{}, Resources: map[Address]string{}}
}

func (s *Statements) add(name string, f fileStatements) {
	for key := range f.imports {
		s.Imported[key] = name
	}
	for _, address := range f.resources {
		s.Resources[address] = name
	}
	if f.source != "" {
		s.Source, s.SourceFile = f.source, name
	}
	if f.providerBlock {
		s.ProviderBlock = name
	}
	if f.flagVariable {
		s.FlagVariable = name
	}
}

// fileStatements contains the declarations in a file.
type fileStatements struct {
	imports       map[Key]Address
	resources     []Address
	moved         [][2]Address
	source        string
	providerBlock bool
	flagVariable  bool
	flagIDs       map[string]int64
}

// providerName is the name of the provider in the configuration.
const providerName = "posthog"

var fileSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "terraform"}, {Type: "provider", LabelNames: []string{"name"}}, {Type: "import"}, {Type: "moved"},
	{Type: "resource", LabelNames: []string{"type", "name"}}, {Type: "variable", LabelNames: []string{"name"}},
}}

// parse reads a configuration file in native or JSON syntax.
func parse(path string) (fileStatements, error) {
	source, err := ReadSource(path)
	if err != nil {
		return fileStatements{}, fmt.Errorf("%w: nothing was written", err)
	}
	parser := hclparse.NewParser()
	read := parser.ParseHCL
	if strings.HasSuffix(path, ".json") {
		read = parser.ParseJSON
	}
	file, diags := read(source, path)
	if diags.HasErrors() {
		return fileStatements{}, fmt.Errorf("%s. Fix the file first. Nothing was written", strings.TrimSuffix(diags.Error(), "."))
	}

	f := fileStatements{imports: map[Key]Address{}, flagIDs: map[string]int64{}}
	// The next plan reports errors in the rest of the file.
	content, _, _ := file.Body.PartialContent(fileSchema)
	for _, block := range content.Blocks {
		f.block(block)
	}
	return f, nil
}

func (f *fileStatements) block(block *hcl.Block) {
	switch block.Type {
	case "terraform":
		f.terraform(block.Body)
	case "provider":
		f.providerBlock = f.providerBlock || block.Labels[0] == providerName
	case "resource":
		if address := (Address{Type: block.Labels[0], Label: block.Labels[1]}); isOurs(address) {
			f.resources = append(f.resources, address)
		}
	case "import":
		f.importBlock(readAttributes(block.Body, "to", "id", "identity"))
	case "moved":
		attributes := readAttributes(block.Body, "from", "to")
		source, okFrom := statedAddress(attributes["from"])
		target, okTo := statedAddress(attributes["to"])
		if okFrom && okTo {
			f.moved = append(f.moved, [2]Address{source, target})
		}
	case "variable":
		if block.Labels[0] == FlagVariable {
			f.flagVariable = true
			f.defaults(readAttributes(block.Body, "default")["default"])
		}
	}
}

// isOurs reports whether an address belongs to an object of this provider. The label must be an
// identifier, because it appears in code and in file names.
func isOurs(a Address) bool {
	return (a.Type == SurveyType || a.Type == AppType) && hclsyntax.ValidIdentifier(a.Label)
}

// terraform reads the provider's source from a terraform block.
func (f *fileStatements) terraform(body hcl.Body) {
	content, _, _ := body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "required_providers"}}})
	for _, block := range content.Blocks {
		attributes, _ := block.Body.JustAttributes()
		required, ok := attributes[providerName]
		if !ok {
			continue
		}
		f.source = "hashicorp/" + providerName
		value, diags := required.Expr.Value(nil)
		if !diags.HasErrors() && value.IsWhollyKnown() && value.Type().IsObjectType() && value.Type().HasAttribute("source") {
			if source := value.GetAttr("source"); source.Type() == cty.String && !source.IsNull() {
				f.source = source.AsString()
			}
		}
	}
}

// importBlock reads which object a block imports, by ID or by identity.
func (f *fileStatements) importBlock(attributes map[string]*hcl.Attribute) {
	target, ok := statedAddress(attributes["to"])
	if !ok || !isOurs(target) {
		return
	}

	if id, ok := literalString(attributes["id"]); ok {
		f.imports[Key{target.Type, id}] = target
		return
	}

	identity, ok := literalValue(attributes["identity"])
	if !ok || !identity.Type().IsObjectType() {
		return
	}

	text := func(name string) string {
		if !identity.Type().HasAttribute(name) {
			return ""
		}
		converted, err := convert.Convert(identity.GetAttr(name), cty.String)
		if err != nil || converted.IsNull() {
			return ""
		}
		return converted.AsString()
	}

	f.imports[Key{target.Type, strings.Trim(text("project_id")+text("organization_id")+"/"+text("id"), "/")}] = target
}

func (f *fileStatements) defaults(attribute *hcl.Attribute) {
	value, ok := literalValue(attribute)
	if !ok || !value.CanIterateElements() {
		return
	}
	for key, id := range value.AsValueMap() {
		if number, err := convert.Convert(id, cty.Number); err == nil && !number.IsNull() {
			f.flagIDs[key], _ = number.AsBigFloat().Int64()
		}
	}
}

// readAttributes returns the named attributes that a block sets.
func readAttributes(body hcl.Body, names ...string) map[string]*hcl.Attribute {
	schema := &hcl.BodySchema{}
	for _, name := range names {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	content, _, _ := body.PartialContent(schema)
	return content.Attributes
}

// statedAddress parses the address of a resource in this module. The address must not have an instance
// key.
func statedAddress(attribute *hcl.Attribute) (Address, bool) {
	if attribute == nil {
		return Address{}, false
	}
	traversal, diags := hcl.AbsTraversalForExpr(attribute.Expr)
	if diags.HasErrors() || len(traversal) != 2 {
		return Address{}, false
	}
	label, ok := traversal[1].(hcl.TraverseAttr)
	return Address{Type: traversal.RootName(), Label: label.Name}, ok
}

func literalString(attribute *hcl.Attribute) (string, bool) {
	value, ok := literalValue(attribute)
	if !ok || value.Type() != cty.String {
		return "", false
	}
	return value.AsString(), true
}

// literalValue returns the value of a literal.
func literalValue(attribute *hcl.Attribute) (cty.Value, bool) {
	if attribute == nil {
		return cty.NilVal, false
	}
	value, diags := attribute.Expr.Value(nil)
	return value, !diags.HasErrors() && value.IsWhollyKnown() && !value.IsNull()
}
