// Package cli implements the program posthog-sync. Each command has its own file; the other files contain
// shared parts. To add a command, write a file with a function that returns it, and add the function to
// the list in flags.go. Start reading at [Main] and at program in program.go.
//
// Commands contain no rules about surveys: those belong to the packages that the commands call. Commands
// must use the terminal, the clock, and the network only through program, so that tests can replace them.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Main runs the program with the arguments after its name, and returns its exit code.
func Main(version string, args []string) int {
	// A run is short and needs little memory. With Go's default of 100, garbage collection would take a
	// tenth of the run's time. With more than 200, ten thousand surveys would need half a gigabyte.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	// A plan of ten thousand surveys needs half of this memory, and produces as much garbage again.
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(3 << 29)
	}
	log.SetOutput(client.LogWriter(os.Stderr))
	return newProgram(version).main(args)
}

// newProgram returns a program that uses the real clock, terminal, and network.
func newProgram(version string) *program {
	return &program{
		version: version,
		stdin:   os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, getwd: os.Getwd, now: time.Now, sleep: client.Sleep,
		requestTimeout: requestTimeout,
		traffic:        &traffic{},
		clients:        map[service]*client.Client{},
		matched:        map[string]bool{},
		terminal:       isatty.IsTerminal(os.Stderr.Fd()),
		interactive:    isatty.IsTerminal(os.Stderr.Fd()) && isatty.IsTerminal(os.Stdin.Fd()),
	}
}

// main runs a command line until it finishes or is interrupted.
func (p *program) main(args []string) int {
	ctx, stop := withInterrupt(context.Background(), p.stderr)
	defer stop()
	return p.run(ctx, args)
}

// run runs a command line, prints its error to stderr, and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	err := p.execute(ctx, args)
	if p.progress != nil {
		p.progress.Close()
	}

	if errors.Is(context.Cause(ctx), errInterrupted) {
		if err != nil && exitCode(err) != codeDifferences && !errors.Is(err, context.Canceled) {
			p.logf("Error: %v", err)
		}
		p.logf("Interrupted: completed work is reported above.")
		return codeInterrupted
	}
	if exitCode(err) == codeDifferences {
		p.logf("%v", err) // differences are a result, not a failure
	} else if err != nil {
		p.logf("Error: %v", err)
		if next := nextStep(err); next != "" {
			p.logf("%s", next)
		}
	}
	return exitCode(err)
}

// nextStep returns a remedy for errors that any command may return. It returns an empty string if the
// error already contains a remedy.
func nextStep(err error) string {
	switch {
	case client.IsUnauthorized(err):
		return "PostHog does not recognize the API key. Create a personal API key, and set it in the variable of this environment. To show the variable, run posthog-sync doctor."
	case client.IsForNoKey(err):
		return "PostHog does not allow this with any API key, regardless of its scopes. Sign in to PostHog and do it there."
	case client.PathBelow(err) != "":
		return fmt.Sprintf("base_url (POSTHOG_BASE_URL) ends with the path %s, but the PostHog API is at the root of the host. Remove the path.", client.PathBelow(err))
	case client.IsParentNotFound(err):
		return "Check project_id and organization_id of the environment, and the projects and organizations that the key is limited to. To show both, run posthog-sync doctor."
	case client.IsLimitedToProjects(err):
		return "The key is limited to projects, and PostHog does not allow such keys to use import apps. Use a key without that limit, or read and write only surveys with --kind surveys."
	case client.IsShutOut(err):
		return "Use a key that has access to the project or organization, or check project_id and organization_id of the environment. To show both, run posthog-sync doctor."
	case client.IsForbidden(err):
		return "The key is not allowed to do this. If the message contains a scope, add it to the key. To list missing scopes, run posthog-sync doctor. " +
			"Otherwise, the user of the key lacks the permission."
	}
	return ""
}

// execute runs a command line.
func (p *program) execute(ctx context.Context, args []string) error {
	p.args = args
	root := newRoot(p) //nolint:contextcheck // commands get the context when they are executed
	root.SetArgs(args)
	refuseUnknownTopics(root)
	err := root.ExecuteContext(ctx)
	if err != nil {
		return cmp.Or(explainUnknownCommand(root, args), err)
	}
	return nil
}

// errInterrupted is the cause when Ctrl-C cancels the context.
var errInterrupted = errors.New("interrupted")

// withInterrupt returns a context that the first Ctrl-C cancels. The requests in flight finish, and no
// further requests start. The second Ctrl-C kills the process.
//
// A terminal also sends Ctrl-C to a launcher, such as npm's, which then sends SIGTERM to this program.
// That SIGTERM does not count as a second Ctrl-C.
func withInterrupt(parent context.Context, stderr io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)

	go func() {
		for received := range signals {
			signal.Reset(received)
			if ctx.Err() == nil {
				_, _ = fmt.Fprintln(stderr, "Interrupted: finishing the request in flight. Press Ctrl-C again to stop immediately.")
				cancel(errInterrupted)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// Exit codes of all commands.
const (
	codeDone        = 0
	codeError       = 1
	codeDifferences = 2
	codeRefused     = 3
	codeInterrupted = 130
)

// differencesError is the error of a command that found differences, or that proposed changes without
// making them. The command prints its report before it returns the error.
type differencesError struct{ reason string }

func (e *differencesError) Error() string { return e.reason }

// refusedError is the error of a command that a guard stopped. Its reason contains the flag that
// overrides the guard, if such a flag exists.
type refusedError struct{ reason string }

func (e *refusedError) Error() string { return e.reason }

// exitCode returns the exit code for a command's error.
func exitCode(err error) int {
	var differences *differencesError
	var refused *refusedError
	switch {
	case err == nil:
		return codeDone
	case errors.As(err, &refused):
		return codeRefused
	case errors.As(err, &differences):
		return codeDifferences
	}
	return codeError
}
