package fastpath

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// UpgradeResourceState implements tfprotov6.ResourceServer. A state of this schema is
// handed back as it is. The framework drops attributes that the schema does not have;
// where there are such, it is asked.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	n, ok := s.nouns[req.TypeName]
	if !ok || req.RawState == nil || req.Version != n.Schema.Version || !fits(req.RawState.JSON, n.typ) {
		return s.framework.UpgradeResourceState(ctx, req)
	}
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// fits reports whether JSON has the attributes of a type, and values of their kinds.
func fits(raw json.RawMessage, typ tftypes.Type) bool {
	if len(raw) == 0 {
		return false
	}
	if raw[0] == 'n' {
		return true
	}
	switch t := typ.(type) {
	case tftypes.Object:
		var values map[string]json.RawMessage
		if json.Unmarshal(raw, &values) != nil || len(values) != len(t.AttributeTypes) {
			return false
		}
		for name, inner := range t.AttributeTypes {
			if value, ok := values[name]; !ok || !fits(value, inner) {
				return false
			}
		}
		return true
	case tftypes.Map:
		var values map[string]json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return false
		}
		for _, value := range values {
			if !fits(value, t.ElementType) {
				return false
			}
		}
		return true
	case tftypes.List:
		var values []json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return false
		}
		for _, value := range values {
			if !fits(value, t.ElementType) {
				return false
			}
		}
		return true
	}
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
