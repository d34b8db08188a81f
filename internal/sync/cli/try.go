package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/inputfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/visit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// tryFlags are the flags of try.
type tryFlags struct {
	listen, serve, app, person string
	hosts                      []string
	once, launch               bool
}

// newTry returns the command that shows surveys in an app before respondents see them.
func newTry(p *program) *cobra.Command {
	var flags tryFlags
	cmd := &cobra.Command{
		Use:   "try DIR|PLAN|SOURCE",
		Short: "Try surveys in an app against a local test server",
		Long: `Serves the surveys of a source from a test server in this process, and opens posthog-js against it.
On a page you choose who visits (distinct ID, properties, groups), where (URL, referrer, device,
language), and when. The page shows which surveys that person is offered, why the others are not
offered, and each answer as it arrives, with the property that contains it. Nothing is sent to
PostHog.

The argument is a directory with Terraform configuration, a saved plan or its JSON, or a source.
Drafts are not offered. To launch them in this process only, add --launch. To stop, press Ctrl-C.

With --app, your own app shows the surveys: add the printed lines to it. With --once, the command
serves nothing: it reports which surveys the visitor in the --person file is offered. The file
contains distinct_id, and optionally properties, groups, url, referrer, device, and language.`,
		Example: `  # Try the surveys of this directory, including drafts
  posthog-sync try . --launch

  # Try them in your own app
  posthog-sync try . --app http://localhost:3000

  # In a script: report which surveys a person is offered
  posthog-sync try . --once --person person.json --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.try(cmd.Context(), args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:0", "host and port of the page; port 0 selects a free port")
	cmd.Flags().StringVar(&flags.serve, "serve", "127.0.0.1:0", "host and port of the server that apps use; port 0 selects a free port")
	cmd.Flags().StringArrayVar(&flags.hosts, "host", nil, "additional host name that can open the page and the server, without a port; * allows any name (repeatable)")
	cmd.Flags().StringVar(&flags.app, "app", "", "URL of your own app that shows the surveys")
	cmd.Flags().BoolVar(&flags.launch, "launch", false, "launch drafts, in this process only")
	cmd.Flags().BoolVar(&flags.once, "once", false, "report which surveys the visitor in --person is offered, and exit")
	cmd.Flags().StringVar(&flags.person, "person", "", "file that describes the visit for --once; - for stdin")
	excludeEachOther(cmd, "once", "app")
	return cmd
}

// checkApp rejects a value that is not the URL of an app.
func (f tryFlags) checkApp() error {
	if app, err := url.Parse(f.app); f.app != "" && (err != nil || app.Host == "" || app.Scheme != "http" && app.Scheme != "https") {
		return fmt.Errorf("--app %q is not a URL. Use the URL of the app, such as http://localhost:3000", f.app)
	}
	return nil
}

// try loads a source into a test world. It serves the world, or reports one visit's result.
func (p *program) try(ctx context.Context, argument string, flags tryFlags) error {
	if err := flags.checkApp(); err != nil {
		return err
	}
	s, err := previewSource(argument)
	if err != nil {
		return err
	}
	var visitor visit.Visit
	if flags.once != (flags.person != "") {
		return errors.New("--once and --person FILE require each other")
	}
	if flags.once {
		if visitor, err = p.readVisit(flags.person); err != nil {
			return fmt.Errorf("--person %s: %w", flags.person, err)
		}
	}
	objects, err := p.loadPages(ctx, s, argument)
	if err != nil {
		return err
	}

	world, err := visit.Start(ctx, objects, visit.Options{
		Listen: flags.serve, Hosts: flags.hosts, Launch: flags.launch, UserAgent: "posthog-sync/" + p.version, Now: p.now,
	})
	if _, isAddress := errors.AsType[*web.ListenError](err); isAddress {
		return fmt.Errorf("%w. To use a free port, set --serve 127.0.0.1:0", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	if flags.once {
		return errors.Join(p.tryOnce(world, visitor), world.Close())
	}
	return errors.Join(p.serveTry(ctx, world, flags), world.Close())
}

// readVisit reads the --person file.
func (p *program) readVisit(path string) (visit.Visit, error) {
	if path == "-" {
		return visit.ReadVisit(p.stdin)
	}
	file, err := inputfile.Open(path)
	if err != nil {
		return visit.Visit{}, err
	}
	defer func() { _ = file.Close() }()
	return visit.ReadVisit(file)
}

// tryOnce reports which surveys PostHog shows to a person.
func (p *program) tryOnce(world *visit.World, visitor visit.Visit) error {
	offers, err := world.Offers(visitor)
	if err != nil {
		return err
	}
	for _, note := range world.Notes {
		p.logf("%s", note)
	}
	return p.print(newTryReport(offers))
}

// serveTry serves the page until the context ends.
func (p *program) serveTry(ctx context.Context, world *visit.World, flags tryFlags) error {
	guard, listener, err := listen(ctx, flags.listen, flags.hosts)
	if err != nil {
		return err
	}
	p.progress.Close()
	for _, address := range []net.Addr{listener.Addr(), world.Addr()} {
		if tcp, ok := address.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
			p.logf("Other machines can reach %s, and can read and change the surveys of this process. To allow only this machine, use 127.0.0.1:0.", tcp)
		}
	}

	panel := &visit.Panel{World: world, App: flags.app, Guard: guard}
	greeting := fmt.Sprintf("trying surveys on %s/\n", visit.ListenerURL(listener.Addr()))
	if flags.app != "" {
		greeting += "\n" + trySnippet(world)
	}
	return p.serveInForeground(ctx, listener, panel.Handler(), greeting, "The trial stopped, and its answers were discarded.")
}

// trySnippet returns the code that makes an app show the surveys of a world.
func trySnippet(w *visit.World) string {
	return fmt.Sprintf(`posthog.init(%s, {
  api_host: %s,
  opt_out_useragent_filter: true, // for a browser that a test drives
})
`, strconv.Quote(w.Token), strconv.Quote(w.URL))
}

// tryReport is the report of try --once.
type tryReport struct {
	// Format is the version of the JSON format.
	Format  int          `json:"format"`
	Surveys []tryOffered `json:"surveys"`
}

// tryOffered is a survey in the report.
type tryOffered struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	IsOffered bool     `json:"offered"`
	Reasons   []string `json:"reasons"`
}

func newTryReport(offers []testserver.SurveyOffer) tryReport {
	r := tryReport{Format: 1, Surveys: []tryOffered{}}
	for _, offer := range offers {
		r.Surveys = append(r.Surveys, tryOffered{ID: offer.ID, Name: offer.Name, IsOffered: len(offer.Reasons) == 0, Reasons: append([]string{}, offer.Reasons...)})
	}
	return r
}

// toReport implements result.
func (r tryReport) toReport() report.Report {
	table := report.Table{Columns: []string{"", "survey", "why not"}, Line: "%-11s  %s: %s"}
	for _, survey := range r.Surveys {
		word := "not offered"
		if survey.IsOffered {
			word = "offered"
		}
		table.Add(word, survey.Name, strings.Join(survey.Reasons, "; "))
	}
	return report.Report{Title: "Surveys offered to the person", Summary: responses.Count(len(r.Surveys), "survey") + ".", Table: table}
}
