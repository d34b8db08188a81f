package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// program is one run of posthog-sync, with its environment and the common flags. Commands use the
// terminal, the clock, and the network only through program, so that tests can replace them.
type program struct {
	version        string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	getwd          func() (string, error)
	now            func() time.Time
	// sleep waits for a duration that PostHog requires between requests.
	sleep func(context.Context, time.Duration) error
	// requestTimeout limits the duration of a request, and therefore the wait after an interrupt.
	requestTimeout time.Duration
	// roundTripper sends the requests. Nil means the network.
	roundTripper http.RoundTripper
	// planner plans a directory. Nil means Terraform.
	planner func(ctx context.Context, e environment.Environment, dir string, reader *pull.Reader, options planning) (*tfjson.Plan, error)
	// terminal is set if stderr is a terminal. interactive is set if stdin is also a terminal.
	terminal, interactive bool

	// args contains the arguments of the command line, and flags contains the common flags.
	args  []string
	flags commonFlags
	// matched contains the --select globs that matched an object.
	matched  map[string]bool
	progress *report.Progress
	traffic  *traffic
	clients  map[service]*client.Client
	// appsRemoved is set if a PostHog instance in this run no longer supports import apps.
	appsRemoved bool
	// announced contains the environments whose URLs the run has already printed.
	announced map[string]bool

	// parent is the program that runs this one for a single environment, and collects its report. It is
	// nil in the program that the user started.
	parent          *program
	environmentName string
	collected       any
}

// service identifies a client. Clients with the same service share rate limits.
type service struct {
	baseURL, apiKey string
	tls             client.TLS
}

// start runs after the flags are parsed, and before the command runs.
func (p *program) start() error {
	if p.parent != nil {
		return nil
	}
	p.progress = report.NewProgress(p.stderr, report.ProgressOptions{Terminal: p.terminal, Off: p.flags.noProgress, Now: p.now})
	return p.flags.check()
}

// logf writes a line to stderr. Stdout is reserved for results.
func (p *program) logf(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = plainError(err)
		}
	}
	if p.parent != nil {
		p.parent.logf("%s: %s", p.environmentName, fmt.Sprintf(format, args...))
		return
	}

	message := escape.TerminalLines(fmt.Sprintf(format, args...))
	if p.progress != nil {
		p.progress.Logf("%s", message)
		return
	}
	_, _ = fmt.Fprintln(p.stderr, message)
}

// longWait is the shortest wait between requests that the program reports.
const longWait = 5 * time.Second

// wait waits between requests, and reports a long wait.
func (p *program) wait(ctx context.Context, d time.Duration) error {
	if d >= longWait && !p.flags.noProgress {
		p.logf("Waiting %s before the next request: PostHog failed or demands the wait, or requests_per_minute requires it.", d.Round(time.Second))
	}
	return p.sleep(ctx, d)
}

// environments reads the environments file from the working directory, or from a parent directory within
// the repository. Jobs with --part share the rate limits of their API keys.
func (p *program) environments() (environment.Set, error) {
	part, err := p.part()
	if err != nil {
		return environment.Set{}, err
	}
	dir, err := p.getwd()
	if err != nil {
		return environment.Set{}, err
	}
	set, err := environment.Find(p.flags.config, dir, p.getenv)
	return set.Shared(part), err
}

// namedEnvironment returns the name of this run's environment: the current environment of a run with
// --all-environments, or the value of --env. It is empty for the default environment.
func (p *program) namedEnvironment() string { return cmp.Or(p.environmentName, p.flags.env) }

// client returns the client of an environment. Environments with the same API key share a client,
// because PostHog counts requests by key.
func (p *program) client(e environment.Environment) (*client.Client, error) {
	if p.parent != nil {
		return p.parent.client(e)
	}
	options, err := e.Options(p.getenv)
	if err != nil {
		return nil, err
	}
	p.announce(e)

	key := service{options.BaseURL, options.APIKey, options.TLS}
	if existing := p.clients[key]; existing != nil {
		return existing, nil
	}

	options.UserAgent = "posthog-sync/" + p.version
	options.Transport, options.Wrap = p.roundTripper, p.wrap
	options.Now, options.Sleep = p.now, p.wait
	options.RequestTimeout = p.requestTimeout
	created, err := client.New(options)
	if err != nil {
		return nil, fmt.Errorf("environment %q: %w", e.Name, err)
	}
	p.clients[key] = created
	return created, nil
}

// announce prints an environment's URL and project once, if they differ from the environment variables.
func (p *program) announce(e environment.Environment) {
	if p.parent != nil {
		p.parent.announce(e)
		return
	}
	if p.announced[e.Name] {
		return
	}

	if p.announced == nil {
		p.announced = map[string]bool{}
	}
	p.announced[e.Name] = true
	for _, notice := range e.Notices(p.getenv) {
		p.logf("%s", notice)
	}
}

// result is a command's result. encoding/json produces its JSON.
type result interface{ toReport() report.Report }

// printable converts a result for human readers to a report, or returns it unchanged if it formats
// itself.
func printable(r any) report.Printed {
	if r, ok := r.(result); ok {
		return r.toReport()
	}
	page, _ := r.(report.Printed)
	return page
}

// print writes a report to stdout in the --format format.
func (p *program) print(r any) error { return p.printReport(p.stdout, r) }

// printReport is like print, for commands that write something other than the report to stdout.
func (p *program) printReport(w io.Writer, r any) error {
	p.progress.Close()
	if p.parent != nil {
		p.collected = r
		return nil
	}

	page, err := renderReport(r, p.flags.format)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, page)
	return err
}

// renderReport formats a report.
func renderReport(r any, format string) (string, error) {
	switch format {
	case formatJSON:
		var encoded bytes.Buffer
		encoder := json.NewEncoder(&encoded)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(r)
		return string(escape.JSON(encoded.Bytes())), err
	case formatMarkdown:
		return printable(r).Markdown(), nil
	}
	return printable(r).Text(), nil
}

// writeText writes a report as text, before a confirmation or after a change.
func writeText(w io.Writer, r any) error {
	_, err := io.WriteString(w, printable(r).Text())
	return err
}

// confirm asks a question on stderr, and reports whether the user confirms it. If there is no terminal,
// it returns false without asking.
func (p *program) confirm(ctx context.Context, question string) bool {
	if !p.interactive {
		return false
	}
	p.progress.Close()
	_, _ = fmt.Fprintf(p.stderr, "%s\nOnly \"yes\" is accepted: ", question)

	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(p.stdin).ReadString('\n')
		typed <- strings.TrimSpace(line)
	}()
	select {
	case line := <-typed:
		return line == "yes"
	case <-ctx.Done():
		return false
	}
}
