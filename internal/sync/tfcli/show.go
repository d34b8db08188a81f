package tfcli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// show runs the program's show command for a plan file and reads its JSON. If file is empty, it shows the state.
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
	// A log on stderr would look like an error. Without TF_WORKSPACE, the command uses the selected workspace, as
	// plans do.
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
