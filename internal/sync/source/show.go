package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// What a CLI shows of thousands of objects has hundreds of megabytes, and is many times as large
// once it is decoded. So it is read as it comes, and one object is in memory at a time.

// show runs the show command of the CLI for a plan file, or for the state if that is empty, and
// reads its JSON.
func (c *CLI) show(ctx context.Context, dir, file string, attach tfexec.ReattachInfo, visit jsonvalue.Visitor) error {
	reattach, err := json.Marshal(attach)
	if err != nil {
		return err
	}
	args := []string{"show", "-json", "-no-color"}
	if file != "" {
		args = append(args, file)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, c.Path, args...) //nolint:gosec // the program that the user named
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, time.Minute
	// A log would be taken for an error. The workspace is the selected one, as that of a plan is.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "TF_LOG") || strings.HasPrefix(variable, "TF_WORKSPACE=")
	})
	cmd.Env = append(cmd.Env, "TF_REATTACH_PROVIDERS="+string(reattach), "TF_IN_AUTOMATION=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}

	readErr := jsonvalue.Walk(stdout, visit)
	if readErr != nil {
		cancel()
	}
	_, _ = io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); err != nil && (readErr == nil || stderr.Len() > 0) {
		return fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return readErr
}

// planVisitor reads a plan, but for what no command asks for. Each change is passed on, unless
// that is nil, and the plan lacks it.
func planVisitor(plan *tfjson.Plan, change func(*tfjson.ResourceChange) error) jsonvalue.Visitor {
	isChangeRead := false
	return func(path string, value *json.Decoder) (bool, error) {
		switch path {
		case ".format_version":
			err := value.Decode(&plan.FormatVersion)
			return true, errors.Join(err, plan.Validate())
		case ".resource_drift[]":
			if isChangeRead && change != nil {
				return true, errors.New("the plan has changes before the drift that explains them, which this version of posthog-sync cannot read")
			}
			return true, appendDecoded(&plan.ResourceDrift, value)
		case ".resource_changes[]":
			isChangeRead = true
			if change == nil {
				return true, appendDecoded(&plan.ResourceChanges, value)
			}
			var one tfjson.ResourceChange
			if err := value.Decode(&one); err != nil {
				return true, err
			}
			return true, change(&one)
		case ".action_invocations[]":
			return true, appendDecoded(&plan.ActionInvocations, value)
		case ".configuration.root_module.module_calls":
			plan.Config = &tfjson.Config{RootModule: &tfjson.ConfigModule{}}
			return true, value.Decode(&plan.Config.RootModule.ModuleCalls)
		case ".prior_state":
			if change != nil {
				return false, nil
			}
			plan.PriorState = &tfjson.State{}
			plan.PriorState.UseJSONNumber(true)
			return true, value.Decode(plan.PriorState)
		}
		return false, nil
	}
}

func appendDecoded[T any](list *[]*T, value *json.Decoder) error {
	one := new(T)
	*list = append(*list, one)
	return value.Decode(one)
}

// stateVisitor passes each resource of a state on.
func stateVisitor(isThere *bool, resource func(*tfjson.StateResource) error) jsonvalue.Visitor {
	var state tfjson.State
	return func(path string, value *json.Decoder) (bool, error) {
		switch {
		case path == ".format_version":
			err := value.Decode(&state.FormatVersion)
			return true, errors.Join(err, state.Validate())
		case path == ".values":
			*isThere = true
		case strings.HasPrefix(path, ".values.root_module.") && strings.HasSuffix(path, ".resources[]"):
			var one tfjson.StateResource
			if err := value.Decode(&one); err != nil {
				return true, err
			}
			return true, resource(&one)
		}
		return false, nil
	}
}
