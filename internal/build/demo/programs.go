package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// interruptible asks the program to end when its context does, as Ctrl-C would,
// so that it can take its own children along. Only after that it is killed.
func interruptible(cmd *exec.Cmd) *exec.Cmd {
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // where there is no such signal
	}
	return cmd
}

// server is a running test server and how to reach it.
type server struct {
	url         string
	environment []string // the POSTHOG_ variables that it printed
	process     *exec.Cmd
	cancel      context.CancelFunc
	drained     chan struct{}
}

// startServer runs the program of the test server on a free port, and reads from
// what it prints where it listens and how to log in.
func startServer(ctx context.Context, program string) (*server, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := interruptible(exec.CommandContext(ctx, program, "-listen", "127.0.0.1:0"))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting the test server: %w", err)
	}

	s := &server{process: cmd, cancel: cancel, drained: make(chan struct{})}
	const variables = 4
	lines := bufio.NewScanner(stdout)
	for (s.url == "" || len(s.environment) < variables) && lines.Scan() {
		if address, found := strings.CutPrefix(lines.Text(), "listening on "); found {
			s.url = address
		}
		if assignment, found := strings.CutPrefix(lines.Text(), "export "); found {
			s.environment = append(s.environment, assignment)
		}
	}
	go func() {
		// A program blocks when its output is not read.
		defer close(s.drained)
		_, _ = io.Copy(io.Discard, stdout)
	}()
	if len(s.environment) < variables {
		_ = s.stop() // that it could not be used says more than how it ended
		return nil, fmt.Errorf("the test server did not print where it listens and how to log in, only %q and %v", s.url, s.environment)
	}
	return s, nil
}

// stop asks the server to end, and returns when it has.
func (s *server) stop() error {
	s.cancel()
	<-s.drained
	err := s.process.Wait()
	if s.process.ProcessState.Exited() && s.process.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("the test server ended with: %w", err)
	}
	return nil
}

// variable is one of those that the server printed.
func (s *server) variable(name string) string {
	for _, assignment := range s.environment {
		if value, found := strings.CutPrefix(assignment, name+"="); found {
			return value
		}
	}
	return ""
}

// collections are the paths of everything that the demo makes.
func (s *server) collections() (surveys, apps string) {
	return "/api/projects/" + s.variable("POSTHOG_PROJECT_ID") + "/surveys/",
		"/api/organizations/" + s.variable("POSTHOG_ORGANIZATION_ID") + "/pipeline_import_apps/"
}

// create makes a survey without Terraform and returns its id.
func (s *server) create(ctx context.Context, body string) (string, error) {
	var survey struct{ ID string }
	surveys, _ := s.collections()
	err := s.call(ctx, http.MethodPost, surveys, body, &survey)
	return survey.ID, err
}

// call sends a request to the service and reads the JSON of its response.
func (s *server) call(ctx context.Context, method, path, body string, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.variable("POSTHOG_API_KEY"))
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: the server answered %s: %s", method, path, resp.Status, text)
	}
	return json.Unmarshal(text, answer)
}

// terraform drives the CLI, Terraform or OpenTofu, and posthog-sync in a folder.
type terraform struct {
	program string
	syncer  string
	dir     string
	env     []string
}

// newTerraform prepares a folder in which the CLI finds the provider in the mirror alone, and
// the server in its environment.
func newTerraform(ctx context.Context, dir, syncer string, variables []string) (*terraform, error) {
	program, err := exec.LookPath("terraform")
	if chosen := os.Getenv("TF_ACC_TERRAFORM_PATH"); chosen != "" {
		program, err = filepath.Abs(chosen)
	}
	if err != nil {
		return nil, fmt.Errorf("there is no terraform in PATH; \"make demo\" builds an OpenTofu and uses that: %w", err)
	}

	settings := filepath.Join(dir, "cli.tfrc")
	installation := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.ToSlash(filepath.Join(dir, "mirror")))
	if err := os.WriteFile(settings, []byte(installation), 0o600); err != nil {
		return nil, err
	}
	// What the person who calls has set would change what the CLI does.
	env := slices.DeleteFunc(os.Environ(), func(assignment string) bool {
		return strings.HasPrefix(assignment, "TF_") || strings.HasPrefix(assignment, "POSTHOG_")
	})
	env = append(append(env, variables...), "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")

	t := &terraform{program: program, syncer: syncer, dir: filepath.Join(dir, "configuration"), env: env}
	if err := os.Mkdir(t.dir, 0o750); err != nil {
		return nil, err
	}
	version, err := t.run(ctx, t.program, "version")
	name, _, _ := strings.Cut(version, "\n")
	fmt.Printf("  %s gets the provider from a folder, as it would from a registry.\n", name)
	return t, err
}

// in drives the same CLI in an empty folder beside the first.
func (t *terraform) in(name string) (*terraform, error) {
	other := *t
	other.dir = filepath.Join(filepath.Dir(t.dir), name)
	return &other, os.Mkdir(other.dir, 0o750)
}

// write writes a file of the configuration.
func (t *terraform) write(name, text string) error {
	return os.WriteFile(filepath.Join(t.dir, name), []byte(text), 0o600) //nolint:gosec // name is that of a file of ours
}

// run runs a program in the folder. What it says when it fails is part of the error.
func (t *terraform) run(ctx context.Context, program string, args ...string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := interruptible(exec.CommandContext(ctx, program, args...)) //nolint:gosec // built here, or the CLI that was asked for
	cmd.Dir, cmd.Env = t.dir, t.env
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(program), args[0], err, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String(), nil
}

// sync calls posthog-sync, and shows all that it says.
func (t *terraform) sync(ctx context.Context, args ...string) error {
	said, err := t.run(ctx, t.syncer, append(args, "--terraform", t.program)...)
	show(said, "")
	return err
}

// cli calls the CLI, and shows the lines with a beginning. One of them must be as expected,
// where anything is.
func (t *terraform) cli(ctx context.Context, beginning, expected string, args ...string) error {
	said, err := t.run(ctx, t.program, append(args, "-no-color", "-input=false")...)
	show(said, beginning)
	if err == nil && !strings.Contains(said, expected) {
		err = fmt.Errorf("%s did not say %q:\n%s", args[0], expected, said)
	}
	return err
}

func (t *terraform) init(ctx context.Context) error { return t.cli(ctx, "Nothing", "", "init") }

func (t *terraform) apply(ctx context.Context, expected string) error {
	return t.cli(ctx, "Apply complete!", expected, "apply", "-auto-approve")
}

// mustBeEmpty plans, and fails unless there is nothing to do. The CLI itself says
// so, by its exit code.
func (t *terraform) mustBeEmpty(ctx context.Context) error {
	err := t.cli(ctx, "No changes.", "", "plan", "-detailed-exitcode")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		return fmt.Errorf("the plan is not empty, and applying the same configuration twice must change nothing: %w", err)
	}
	return err
}
