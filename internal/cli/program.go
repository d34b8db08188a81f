package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/environment"
)

// program is one run of posthog-sync: what it talks to, and its common flags. Verbs
// reach the world through it alone, so that tests can stand in for all of it.
type program struct {
	version        string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	getwd          func() (string, error)
	now            func() time.Time

	flags commonFlags
}

// logf writes a line to stderr, where everything goes that is not a result.
func (p *program) logf(format string, args ...any) {
	_, _ = fmt.Fprintf(p.stderr, format+"\n", args...)
}

// environments reads the file of environments, wherever it is.
func (p *program) environments() (environment.Set, error) {
	dir, err := p.getwd()
	if err != nil {
		return environment.Set{}, err
	}
	return environment.Find(p.flags.config, dir, p.getenv)
}

// environment is the one that --env names, or the default.
func (p *program) environment() (environment.Environment, error) {
	set, err := p.environments()
	if err != nil {
		return environment.Environment{}, err
	}
	return set.Get(p.flags.env)
}

// client returns a client of an environment: one gate, retries, paging.
func (p *program) client(e environment.Environment) (*client.Client, error) {
	options, err := e.Options(p.getenv)
	if err != nil {
		return nil, err
	}
	options.UserAgent = "posthog-sync/" + p.version
	options.Transport = p.transport()
	made, err := client.New(options)
	if err != nil {
		return nil, fmt.Errorf("environment %q: %w", e.Name, err)
	}
	return made, nil
}

// report is what a verb found or did. As JSON it is what encoding/json makes of it.
type report interface {
	// Text writes it for a terminal.
	Text(w io.Writer) error
	// Markdown writes it for a comment of a pull request.
	Markdown(w io.Writer) error
}

// print writes a report to stdout in the format that was asked for.
func (p *program) print(r report) error {
	switch p.flags.format {
	case formatJSON:
		encoder := json.NewEncoder(p.stdout)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(r)
	case formatMarkdown:
		return r.Markdown(p.stdout)
	default:
		return r.Text(p.stdout)
	}
}
