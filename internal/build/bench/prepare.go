package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// prepare applies n surveys with the variant, and writes the recording for plans after
// that.
func prepare(ctx context.Context, c variant, n int, path string) (err error) {
	s, schemas, block, err := c.configured(ctx)
	if err != nil {
		return err
	}

	survey := schemas.ResourceSchemas[resourceType]
	out, err := createRecording(path, recordingHeader{block.MsgPack, survey.Version})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.file.Close()) }()

	return forEach(ctx, n, func(i int) error {
		one, err := s.apply(c, i, survey.ValueType())
		if err != nil {
			return fmt.Errorf("survey %d: %w", i, err)
		}
		return out.gob.Encode(one)
	})
}

// configured returns a session with the variant, its schemas, and its provider block.
func (c variant) configured(ctx context.Context) (session, *tfprotov6.GetProviderSchemaResponse, *tfprotov6.DynamicValue, error) {
	newServer, err := c.server(ctx)
	if err != nil {
		return session{}, nil, nil, err
	}

	s := session{ctx, newServer()}
	schemas, err := s.schema()
	if err != nil {
		return session{}, nil, nil, err
	}

	block, err := encodedConfig(settings{}, schemas.Provider.ValueType())
	if err != nil {
		return session{}, nil, nil, err
	}
	return s, schemas, block, s.configure(block.MsgPack)
}

// apply creates survey number i.
func (s session) apply(c variant, i int, typ tftypes.Type) (recordedSurvey, error) {
	config, err := encodedConfig(c.survey(i, before), typ)
	if err != nil {
		return recordedSurvey{}, err
	}
	edited, err := encodedConfig(c.survey(i, after), typ)
	if err != nil {
		return recordedSurvey{}, err
	}

	stored, err := encodedConfig(c.stored(i, before), typ)
	if err != nil {
		return recordedSurvey{}, err
	}
	state, private, err := s.created(stored, typ)
	if err != nil {
		return recordedSurvey{}, err
	}

	current, err := encode(state)
	if err != nil {
		return recordedSurvey{}, err
	}
	document, err := json.Marshal(attribute.Plain(state))
	if err != nil {
		return recordedSurvey{}, err
	}

	changed, err := with(state, "description", tftypes.NewValue(tftypes.String, after))
	if err != nil {
		return recordedSurvey{}, err
	}
	proposed, err := encode(changed)
	if err != nil {
		return recordedSurvey{}, err
	}

	return recordedSurvey{Number: i, StateJSON: document, State: current.MsgPack, Private: private, Config: config.MsgPack, Changed: edited.MsgPack, Proposed: proposed.MsgPack}, nil
}

// created is the state of a survey that was created and then refreshed once, as it is after
// the next apply.
func (s session) created(config *tfprotov6.DynamicValue, typ tftypes.Type) (tftypes.Value, []byte, error) {
	applied, private, err := s.create(config, typ)
	if err != nil {
		return tftypes.Value{}, nil, err
	}
	current, err := encode(applied)
	if err != nil {
		return tftypes.Value{}, nil, err
	}
	current, private, err = s.read(current, private)
	if err != nil {
		return tftypes.Value{}, nil, err
	}
	state, err := current.Unmarshal(typ)
	return state, private, err
}
