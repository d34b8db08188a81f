package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// session is a provider server that is called over protocol version 6 in process.
type session struct {
	ctx    context.Context
	server tfprotov6.ProviderServer
}

// errorOf returns the errors among diagnostics as one error.
func errorOf(call string, diagnostics []*tfprotov6.Diagnostic) error {
	var err error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			err = errors.Join(err, fmt.Errorf("%s: %s: %s", call, d.Summary, d.Detail))
		}
	}
	return err
}

func (s session) schema() (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.server.GetProviderSchema(s.ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return resp, errorOf("GetProviderSchema", resp.Diagnostics)
}

func (s session) configure(config []byte) error {
	value := &tfprotov6.DynamicValue{MsgPack: config}
	checked, err := s.server.ValidateProviderConfig(s.ctx, &tfprotov6.ValidateProviderConfigRequest{Config: value})
	if err != nil || len(checked.Diagnostics) > 0 {
		return errors.Join(err, errors.New("the empty provider block was not accepted"))
	}
	configured, err := s.server.ConfigureProvider(s.ctx, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.11.4", Config: checked.PreparedConfig,
	})
	if err != nil {
		return err
	}
	return errorOf("ConfigureProvider", configured.Diagnostics)
}

func (s session) validate(config []byte) error {
	resp, err := s.server.ValidateResourceConfig(s.ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceType, Config: &tfprotov6.DynamicValue{MsgPack: config},
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		return err
	}
	return errorOf("ValidateResourceConfig", resp.Diagnostics)
}

// upgrade converts the state of a file to the encoding of the protocol.
func (s session) upgrade(version int64, document []byte) (*tfprotov6.DynamicValue, error) {
	resp, err := s.server.UpgradeResourceState(s.ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: resourceType, Version: version, RawState: &tfprotov6.RawState{JSON: document},
	})
	if err != nil {
		return nil, err
	}
	return resp.UpgradedState, errorOf("UpgradeResourceState", resp.Diagnostics)
}

// read returns the state after a refresh, and the private state.
func (s session) read(state *tfprotov6.DynamicValue, private []byte) (*tfprotov6.DynamicValue, []byte, error) {
	resp, err := s.server.ReadResource(s.ctx, &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: state, Private: private,
	})
	if err != nil {
		return nil, nil, err
	}
	return resp.NewState, resp.Private, errorOf("ReadResource", resp.Diagnostics)
}

func (s session) plan(prior, proposed, config *tfprotov6.DynamicValue, private []byte) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.server.PlanResourceChange(s.ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceType, PriorState: prior, ProposedNewState: proposed, Config: config, PriorPrivate: private,
	})
	if err != nil {
		return nil, err
	}
	return resp, errorOf("PlanResourceChange", resp.Diagnostics)
}

// create plans and applies a configuration, and returns the state.
func (s session) create(config *tfprotov6.DynamicValue, of tftypes.Type) (tftypes.Value, []byte, error) {
	nothing, err := encode(tftypes.NewValue(of, nil))
	if err != nil {
		return tftypes.Value{}, nil, err
	}

	planned, err := s.plan(nothing, config, config, nil)
	if err != nil {
		return tftypes.Value{}, nil, err
	}

	resp, err := s.server.ApplyResourceChange(s.ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, PriorState: nothing, PlannedState: planned.PlannedState, Config: config,
		PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	})
	if err != nil {
		return tftypes.Value{}, nil, err
	}

	if err := errorOf("ApplyResourceChange", resp.Diagnostics); err != nil {
		return tftypes.Value{}, nil, err
	}

	state, err := resp.NewState.Unmarshal(of)
	return state, resp.Private, err
}
