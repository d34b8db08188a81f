package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// writes measures what a plan does not show: surveys that are created, and surveys that
// are imported.
func (g *runner) writes(ctx context.Context, n int) ([]row, error) {
	f, err := g.fixture(ctx, n)
	if err != nil {
		return nil, err
	}
	recordings := map[variant]string{}
	for _, c := range []variant{ours, typed} {
		if recordings[c], err = f.recording(ctx, c); err != nil {
			return nil, err
		}
	}

	created := map[variant][]float64{}
	var imported, planned []float64
	for range g.roundsOf(n) {
		for _, c := range variants {
			elapsed, err := g.creates(ctx, c, n)
			if err != nil {
				return nil, err
			}
			created[c] = append(created[c], elapsed)
		}

		elapsed, _, err := g.runMeasured(ctx, f.srv, g.profileOf(ours, "import"), "import", recordings[ours])
		if err != nil {
			return nil, err
		}
		imported = append(imported, elapsed)

		elapsed, _, err = g.runMeasured(ctx, f.srv, "", "replay", string(typed), recordings[typed], "false")
		if err != nil {
			return nil, err
		}
		planned = append(planned, elapsed)
	}

	own := samples{"", created[ours], seconds}
	return []row{
		compared("CPU of creating "+surveys(n), own, samples{typed.title(), created[typed], seconds}, bar{}),
		compared("CPU of creating "+surveys(n), own, samples{jsonText.title(), created[jsonText], seconds}, bar{}),
		compared("CPU of importing "+surveys(n), samples{"", imported, seconds},
			samples{typed.title() + ", a plan without changes", planned, seconds}, bar{atMost: 1}),
	}, nil
}

// creates measures the creation of n surveys with a variant, on a service without any.
func (g *runner) creates(ctx context.Context, c variant, n int) (elapsed float64, err error) {
	srv, err := g.startService(ctx, g.server, 0)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()

	elapsed, _, err = g.runMeasured(ctx, srv, g.profileOf(c, "create"), "create", string(c), fmt.Sprint(n))
	return elapsed, err
}

// createAll creates n surveys, and returns the CPU time that it took.
func createAll(ctx context.Context, c variant, n int) (time.Duration, error) {
	s, schemas, _, err := c.configured(ctx)
	if err != nil {
		return 0, err
	}
	typ := schemas.ResourceSchemas[resourceType].ValueType()

	create := func(i int) error {
		config, err := encodedConfig(c.survey(i, before), typ)
		if err == nil {
			_, _, err = s.create(config, typ)
		}
		return err
	}
	return cpuOf(func() error { return forEach(ctx, n, create) })
}

// importAll imports the surveys of a recording and plans them, as import blocks do, and
// returns the CPU time that it took.
func importAll(ctx context.Context, path string) (time.Duration, error) {
	s, _, _, err := ours.configured(ctx)
	if err != nil {
		return 0, err
	}
	recorded, err := openRecording(path)
	if err != nil {
		return 0, err
	}

	return cpuOf(func() error { return recorded.each(ctx, s.importRecorded) })
}

// importRecorded imports one survey by its id, and plans its configuration.
func (s session) importRecorded(e recordedSurvey) error {
	var state struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(e.StateJSON, &state); err != nil {
		return err
	}

	imported, err := s.server.ImportResourceState(s.ctx, &tfprotov6.ImportResourceStateRequest{TypeName: resourceType, ID: state.ID})
	if err != nil {
		return err
	}
	if err := errorOf("ImportResourceState", imported.Diagnostics); err != nil {
		return err
	}

	one := imported.ImportedResources[0]
	prior, private, err := s.read(one.State, one.Private)
	if err != nil {
		return err
	}
	if err := s.validate(e.Config); err != nil {
		return err
	}
	_, err = s.plan(prior, prior, &tfprotov6.DynamicValue{MsgPack: e.Config}, private)
	return err
}
