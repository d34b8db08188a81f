package donothing

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// strip leaves of a schema the names, the types, and who sets what. Validators,
// plan modifiers, defaults and types of one's own are gone, and with them all that
// the provider adds to the work of the framework.
func strip(of schema.Schema) (schema.Schema, error) {
	attributes, err := stripAttributes(of.Attributes)
	if err != nil {
		return schema.Schema{}, err
	}
	if len(of.Blocks) > 0 {
		return schema.Schema{}, errors.New("a schema with blocks cannot be made plain: strip.go has to learn it")
	}
	return schema.Schema{Version: of.Version, Attributes: attributes}, nil
}

func stripAttributes(of map[string]schema.Attribute) (map[string]schema.Attribute, error) {
	plain := make(map[string]schema.Attribute, len(of))
	for name, attribute := range of {
		stripped, err := stripAttribute(attribute)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		plain[name] = stripped
	}
	return plain, nil
}

func stripAttribute(of schema.Attribute) (schema.Attribute, error) {
	switch a := of.(type) {
	case schema.StringAttribute:
		return schema.StringAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.BoolAttribute:
		return schema.BoolAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.Int64Attribute:
		return schema.Int64Attribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.NumberAttribute:
		return schema.NumberAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.ListAttribute:
		return schema.ListAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, ElementType: a.ElementType}, nil
	case schema.MapAttribute:
		return schema.MapAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, ElementType: a.ElementType}, nil
	case schema.SingleNestedAttribute:
		inner, err := stripAttributes(a.Attributes)
		return schema.SingleNestedAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Attributes: inner}, err
	case schema.ListNestedAttribute:
		inner, err := stripAttributes(a.NestedObject.Attributes)
		return schema.ListNestedAttribute{
			Required: a.Required, Optional: a.Optional, Computed: a.Computed,
			NestedObject: schema.NestedAttributeObject{Attributes: inner},
		}, err
	default:
		return nil, fmt.Errorf("an attribute of type %T cannot be made plain: strip.go has to learn it", of)
	}
}
