package pulumi_test

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Packages of the programs that a user of Pulumi runs without a line of Go.
const (
	dynamicPackage  = "github.com/pulumi/pulumi-terraform-bridge/v3/dynamic"
	providerPackage = "github.com/surveys-as-code/terraform-provider-posthog"
)

// TestAdds does what `pulumi package add terraform-provider ./terraform-provider-posthog`
// does: it gives the path of the released binary to Pulumi's dynamic bridge, and asks for
// the schema of the package. Then it manages a survey and an app with that bridge.
func TestAdds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build(t, dir, dynamicPackage, providerPackage)

	bridge := startDynamic(t, filepath.Join(dir, "dynamic"))
	added, err := bridge.Parameterize(t.Context(), plugin.ParameterizeRequest{
		Parameters: &plugin.ParameterizeArgs{Args: []string{filepath.Join(dir, "terraform-provider-posthog")}},
	})
	require.NoError(t, err)
	assert.Equal(t, "posthog", added.Name)

	answer, err := bridge.GetSchema(t.Context(), plugin.GetSchemaRequest{})
	require.NoError(t, err)
	requireWhole(t, packageSpec(t, answer.Schema))

	service := testserver.Start(t)
	configure(t, bridge, service)
	manageSurvey(t, bridge, service)
	// The dynamic bridge takes an id that is a number for a property like others.
	manageApp(t, bridge, service, "pipelineImportAppId")
}

// build builds programs into a directory.
func build(t *testing.T, dir string, packages ...string) {
	t.Helper()
	args := append([]string{"build", "-o", dir + string(os.PathSeparator)}, packages...)
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// startDynamic starts the dynamic bridge, which writes its port first, and connects to it.
func startDynamic(t *testing.T, program string) plugin.Provider {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stderr = t.Output()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)

	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		// The bridge leaves the provider running that it has started: both are one group.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		_ = cmd.Wait()
	})

	port, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return connect(t, net.JoinHostPort("127.0.0.1", strings.TrimSpace(port)))
}
