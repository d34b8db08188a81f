package tfpolicy

import (
	"encoding/json"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
)

// Schemas are the schemas of providers, as terraform providers schema -json prints them.
type Schemas struct{ document tfjson.ProviderSchemas }

// ReadSchemas decodes the document.
func ReadSchemas(document []byte) (Schemas, error) {
	var schemas Schemas
	if err := json.Unmarshal(document, &schemas.document); err != nil {
		return schemas, fmt.Errorf("cannot decode the schemas: %w", err)
	}
	return schemas, nil
}

// has reports whether there is a schema of a provider, by a source such as
// surveys-as-code/posthog.
func (s Schemas) has(source string) bool {
	for address := range s.document.Schemas {
		if strings.HasSuffix(address, "/"+source) {
			return true
		}
	}
	return false
}

// ResourceType is the type of a resource's values.
func (s Schemas) ResourceType(name string) (cty.Type, error) {
	for _, provider := range s.document.Schemas {
		schema, ok := provider.ResourceSchemas[name]
		if !ok {
			continue
		}
		if len(schema.Block.NestedBlocks) > 0 {
			return cty.NilType, fmt.Errorf("the schema of %s has blocks, which are not covered", name)
		}
		return objectType(schema.Block.Attributes), nil
	}
	return cty.NilType, fmt.Errorf("no provider has a resource %s", name)
}

func objectType(attributes map[string]*tfjson.SchemaAttribute) cty.Type {
	types := map[string]cty.Type{}
	for name, attribute := range attributes {
		types[name] = attributeType(attribute)
	}
	return cty.Object(types)
}

func attributeType(attribute *tfjson.SchemaAttribute) cty.Type {
	nested := attribute.AttributeNestedType
	if nested == nil {
		return attribute.AttributeType
	}

	switch of := objectType(nested.Attributes); nested.NestingMode {
	case tfjson.SchemaNestingModeList:
		return cty.List(of)
	case tfjson.SchemaNestingModeSet:
		return cty.Set(of)
	case tfjson.SchemaNestingModeMap:
		return cty.Map(of)
	default:
		return of
	}
}
