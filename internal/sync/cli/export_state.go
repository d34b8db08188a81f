package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
)

// managed are the objects in the state of a directory: that of --state, else the one that
// the export is written to, if it has a state.
func (p *program) managed(ctx context.Context, e environment.Environment, stateDir, dir string) (map[exportdir.Key]bool, error) {
	if stateDir == "" {
		if !hasState(dir) {
			return map[exportdir.Key]bool{}, nil
		}
		stateDir = dir
	}
	if err := export.CheckState(stateDir); err != nil {
		return nil, err
	}

	tf, err := p.terraform(e)
	if err != nil {
		return nil, err
	}
	state, err := tf.State(ctx, stateDir)
	if err != nil {
		return nil, err
	}
	if state.Values == nil {
		return nil, fmt.Errorf("--state: %s has no state, or an empty one: without --state, everything counts as unmanaged", stateDir)
	}
	return export.Managed(state)
}

// hasState reports whether a directory has a local state or is initialized for a remote one.
func hasState(dir string) bool {
	for _, name := range []string{"terraform.tfstate", filepath.Join(".terraform", "terraform.tfstate")} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
