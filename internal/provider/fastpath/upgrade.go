package fastpath

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// UpgradeResourceState implements tfprotov6.ResourceServer. A state of the current schema
// is returned as it is. The framework drops attributes that the schema lacks; a state with
// such attributes is left to it.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || req.RawState == nil || req.Version != resource.Schema.Version || !fits(req.RawState.JSON, resource.typ) {
		return s.Server.UpgradeResourceState(ctx, req)
	}

	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// fits reports whether JSON has the attributes of a type, and values of their kinds.
func fits(raw json.RawMessage, typ tftypes.Type) bool {
	if len(raw) == 0 {
		return false
	}
	if raw[0] == 'n' { // null
		return true
	}

	switch typ := typ.(type) {
	case tftypes.Object:
		return objectFits(raw, typ)
	case tftypes.Map:
		return mapFits(raw, typ)
	case tftypes.List:
		return listFits(raw, typ)
	}
	return scalarFits(raw, typ)
}

func objectFits(raw json.RawMessage, typ tftypes.Object) bool {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil || len(values) != len(typ.AttributeTypes) {
		return false
	}

	for name, inner := range typ.AttributeTypes {
		if value, ok := values[name]; !ok || !fits(value, inner) {
			return false
		}
	}
	return true
}

func mapFits(raw json.RawMessage, typ tftypes.Map) bool {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return false
	}

	for _, value := range values {
		if !fits(value, typ.ElementType) {
			return false
		}
	}
	return true
}

func listFits(raw json.RawMessage, typ tftypes.List) bool {
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return false
	}

	for _, value := range values {
		if !fits(value, typ.ElementType) {
			return false
		}
	}
	return true
}

func scalarFits(raw json.RawMessage, typ tftypes.Type) bool {
	switch {
	case typ.Is(tftypes.String):
		return raw[0] == '"'
	case typ.Is(tftypes.Bool):
		return raw[0] == 't' || raw[0] == 'f'
	case typ.Is(tftypes.Number):
		return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	}
	return false
}
