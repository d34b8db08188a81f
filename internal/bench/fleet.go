package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// fleet is a number of surveys that exist: on a service of their own, and in the
// state of every contender that was asked for.
type fleet struct {
	ground *ground
	n      int
	srv    *service
}

// fleet is the one of a size that sections share as long as they leave its surveys
// as they are: to make a thousand takes its time.
func (g *ground) fleet(ctx context.Context, n int) (*fleet, error) {
	if made, known := g.fleets[n]; known {
		return made, nil
	}
	made, err := g.newFleet(ctx, n, 0)
	if err == nil {
		g.fleets[n] = made
	}
	return made, err
}

// stop ends the services of the fleets that are shared.
func (g *ground) stop() error {
	var err error
	for _, f := range g.fleets {
		err = errors.Join(err, f.stop())
	}
	return err
}

// newFleet starts a service that holds a number of surveys already, of which
// nobody's state knows. The n of the fleet come with the first script.
func (g *ground) newFleet(ctx context.Context, n, others int) (*fleet, error) {
	srv, err := g.startService(ctx, others)
	return &fleet{g, n, srv}, err
}

// stop ends the service.
func (f *fleet) stop() error { return f.srv.stop() }

// script is the script of plans of the fleet. The first call makes the surveys, by
// applying with the contender itself.
func (f *fleet) script(ctx context.Context, c contender) (string, error) {
	path := filepath.Join(f.ground.dir, fmt.Sprintf("%s-%d-%d.script", c, f.n, f.srv.cmd.Process.Pid))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, _, err := f.ground.measure(ctx, f.srv, "prepare", string(c), fmt.Sprint(f.n), path)
	return path, err
}

// estate is a folder in which the CLI finds the fleet in the configuration and in
// the state. The state is that of the script: to have the CLI apply a thousand
// blocks takes minutes.
func (f *fleet) estate(ctx context.Context, c contender, variables ...string) (*estate, error) {
	path, err := f.script(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := f.ground.newEstate(c, append(f.srv.environment, variables...)...)
	if err != nil {
		return nil, err
	}
	return e, errors.Join(e.configure(f.n, before), e.adopt(path))
}

// adopt writes the state file.
func (e *estate) adopt(path string) error {
	s, err := openScript(path)
	if err != nil {
		return err
	}
	var resources []any
	for {
		var one entry
		err := s.gob.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.Join(err, s.file.Close())
		}
		resources = append(resources, map[string]any{
			"mode": "managed", "type": resourceType, "name": blockName(one.Number),
			"provider": fmt.Sprintf("provider[%q]", e.ground.registry+"/surveys-as-code/posthog"),
			"instances": []any{map[string]any{
				"schema_version": s.SchemaVersion, "attributes": json.RawMessage(one.StateJSON), "private": one.Private,
			}},
		})
	}
	return errors.Join(s.file.Close(), os.WriteFile(filepath.Join(e.dir, "terraform.tfstate"), []byte(text(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "bench", "outputs": map[string]any{}, "resources": resources,
	})), 0o600))
}
