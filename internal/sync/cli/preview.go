package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/visit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// previewFlags are the flags of preview.
type previewFlags struct {
	listen string
	hosts  []string
}

// newPreview returns the command that shows surveys as respondents see them.
func newPreview(p *program) *cobra.Command {
	var flags previewFlags
	cmd := &cobra.Command{
		Use:   "preview DIR|PLAN|SOURCE",
		Short: "Show surveys as respondents see them",
		Long: `Serves a page for each survey. The page renders the survey with posthog-js and shows its flow: the
intro screen, each question, the final message, and the tab of a widget, in each language, on a
desktop or a phone. Clicking an answer follows the branching. The page lists what it cannot show, and
does not load images from other servers.

The argument is a directory with Terraform configuration, a saved plan or its JSON, or a source:
live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE. The pages are served on the loopback
interface until you press Ctrl-C. Responses are not sent anywhere.`,
		Example: `  # Preview the surveys of this directory before you apply them
  posthog-sync preview .`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.preview(cmd.Context(), args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:0", "host and port to serve on; port 0 selects a free port")
	cmd.Flags().StringArrayVar(&flags.hosts, "host", nil, "additional host name that can open the pages, without a port; * allows any name (repeatable)")
	return cmd
}

// preview shows the surveys of a source.
func (p *program) preview(ctx context.Context, argument string, flags previewFlags) error {
	s, err := previewSource(argument)
	if err != nil {
		return err
	}
	objects, err := p.loadPages(ctx, s, argument)
	if err != nil {
		return err
	}
	surveys, err := visit.Surveys(objects, pageLabel)
	if err != nil {
		return err
	}
	p.progress.Close()
	return p.servePreview(ctx, surveys, flags)
}

// previewSource parses an argument, which is a source, a configuration directory, or a plan.
func previewSource(argument string) (source.Source, error) {
	s, err := source.Parse(argument)
	if err == nil {
		return s, nil
	}

	info, statErr := os.Stat(argument)
	switch {
	case statErr != nil:
		return source.Source{}, fmt.Errorf("%w, and no directory or file has this name", err)
	case info.IsDir():
		return source.Source{Form: source.Code, Argument: argument}, nil
	default:
		return source.Source{Form: source.Plan, Argument: argument}, nil
	}
}

// loadPages loads the surveys of a source for pages. It returns an error if a --select pattern matches
// no survey, because pages without the intended survey would be misleading.
func (p *program) loadPages(ctx context.Context, s source.Source, argument string) ([]source.Object, error) {
	objects, err := p.loadSurveys(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, pattern := range p.flags.selected {
		if !p.matched[pattern] {
			return nil, fmt.Errorf("--select %q does not match any survey in %s", pattern, argument)
		}
	}
	return objects, nil
}

// pageLabel returns the label of a survey's page.
func pageLabel(object source.Object) string {
	return strings.TrimRight(code.SurveyLabel(object.Name, object.ID), "_")
}

// servePreview serves the pages until the context ends.
func (p *program) servePreview(ctx context.Context, surveys []visit.Survey, flags previewFlags) error {
	guard, listener, err := listen(ctx, flags.listen, flags.hosts)
	if err != nil {
		return err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		p.logf("Other machines can reach %s and read the surveys. To allow only this machine, set --listen 127.0.0.1:0.", tcp)
	}

	greeting := fmt.Sprintf("previewing %s on http://%s/\n", responses.Count(len(surveys), "survey"), listener.Addr())
	return p.serveInForeground(ctx, listener, visit.Preview(surveys, guard), greeting, "The preview stopped.")
}

// listen opens the --listen port for pages. It returns a guard that accepts only the host names in --host.
func listen(ctx context.Context, address string, hosts []string) (*web.Guard, net.Listener, error) {
	guard, err := web.NewGuard(hosts)
	if err != nil {
		return nil, nil, fmt.Errorf("--host: %w", err)
	}
	listener, err := web.Listen(ctx, address)
	if err != nil {
		return nil, nil, fmt.Errorf("%w. To use a free port, set --listen 127.0.0.1:0", err)
	}
	return guard, listener, nil
}

// serveInForeground serves pages until the user presses Ctrl-C. It prints the greeting to stdout, so
// that programs can read the URL.
func (p *program) serveInForeground(ctx context.Context, listener net.Listener, pages http.Handler, greeting, farewell string) error {
	ctx, stop := interruptContext(ctx)
	defer stop()
	server := &http.Server{Handler: pages, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	if _, err := io.WriteString(p.stdout, greeting); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		p.logf("%s", farewell)
		return server.Close()
	}
}

// interruptContext returns a context for commands that normally end with Ctrl-C, such as preview. They
// have no requests in flight, so an interrupted run's message and exit code would be misleading.
// interruptContext therefore replaces the other commands' signal handler.
func interruptContext(ctx context.Context) (context.Context, func()) {
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
