package commandline_test

import (
	"bytes"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/cmd/posthog-testserver/commandline"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// complete returns the completions that a shell offers after the arguments.
func complete(t *testing.T, args ...string) string {
	t.Helper()
	command, err := commandline.Command()
	require.NoError(t, err)
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&out)
	command.SetArgs(append([]string{"__complete"}, args...))
	require.NoError(t, command.Execute())
	return out.String()
}

func TestFlagsAreCompleted(t *testing.T) {
	t.Parallel()
	offered := complete(t, "--")
	testserver.CommandFlags().VisitAll(func(f *flag.Flag) {
		assert.Contains(t, offered, "--"+f.Name+"\t", "flag %s", f.Name)
	})
	assert.Contains(t, complete(t, "--profile", ""), "documented\nhosted\n")
}

func TestScriptsAreWritten(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		command, err := commandline.Command()
		require.NoError(t, err)
		var out bytes.Buffer
		command.SetOut(&out)
		command.SetArgs([]string{"completion", shell})
		require.NoError(t, command.Execute(), shell)
		assert.Contains(t, out.String(), "posthog-testserver", shell)
	}
}

func TestCompletes(t *testing.T) {
	t.Parallel()
	assert.True(t, commandline.Completes([]string{"completion", "bash"}))
	assert.True(t, commandline.Completes([]string{"__complete", "-"}))
	assert.True(t, commandline.Completes([]string{"__completeNoDesc", "-"}))
	assert.False(t, commandline.Completes(nil))
	assert.False(t, commandline.Completes([]string{"-profile", "hosted"}))
}
