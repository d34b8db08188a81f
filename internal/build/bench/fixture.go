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

// fixture is a number of existing surveys: on their own service, and in the state of each
// variant that is used.
type fixture struct {
	runner *runner
	n      int
	srv    *service
}

// fixture returns the fixture of a size, which sections share as long as they do not
// change its surveys: creating a thousand takes a while.
func (g *runner) fixture(ctx context.Context, n int) (*fixture, error) {
	if f, known := g.fixtures[n]; known {
		return f, nil
	}
	f, err := g.newFixture(ctx, n, 0)
	if err == nil {
		g.fixtures[n] = f
	}
	return f, err
}

// stop ends the services of the shared fixtures.
func (g *runner) stop() error {
	var err error
	for _, f := range g.fixtures {
		err = errors.Join(err, f.stop())
	}
	return err
}

// newFixture starts a service that already has other surveys, which are in no state. The n
// surveys of the fixture are created with the first recording.
func (g *runner) newFixture(ctx context.Context, n, others int) (*fixture, error) {
	srv, err := g.startService(ctx, g.server, others)
	return &fixture{runner: g, n: n, srv: srv}, err
}

// stop ends the service.
func (f *fixture) stop() error { return f.srv.stop() }

// recording returns the path of the recording for plans of the fixture. The first call
// creates the surveys by an apply with the variant.
func (f *fixture) recording(ctx context.Context, c variant) (string, error) {
	path := filepath.Join(f.runner.dir, fmt.Sprintf("%s-%d-%d.recording", c, f.n, f.srv.cmd.Process.Pid))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, _, err := f.runner.runRole(ctx, f.srv, "prepare", string(c), fmt.Sprint(f.n), path)
	return path, err
}

// workspace returns a workspace with the fixture in configuration and state. The state is
// that of the recording: applying a thousand blocks with the CLI takes minutes.
func (f *fixture) workspace(ctx context.Context, c variant, variables ...string) (*workspace, error) {
	path, err := f.recording(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := f.runner.newWorkspace(c, append(f.srv.environment, variables...)...)
	if err != nil {
		return nil, err
	}
	return e, errors.Join(e.configure(f.n, before), e.writeState(path))
}

// writeState writes the surveys of a recording as a state file.
func (e *workspace) writeState(path string) error {
	s, err := openRecording(path)
	if err != nil {
		return err
	}

	var resources []any
	for {
		var one recordedSurvey
		err := s.gob.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.Join(err, s.file.Close())
		}

		resources = append(resources, map[string]any{
			"mode": "managed", "type": resourceType, "name": blockName(one.Number),
			"provider": fmt.Sprintf("provider[%q]", e.runner.registry+"/surveys-as-code/posthog"),
			"instances": []any{map[string]any{
				"schema_version": s.SchemaVersion, "attributes": json.RawMessage(one.StateJSON), "private": one.Private,
			}},
		})
	}

	return errors.Join(s.file.Close(), os.WriteFile(filepath.Join(e.dir, "terraform.tfstate"), []byte(text(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "bench", "outputs": map[string]any{}, "resources": resources,
	})), 0o600))
}
