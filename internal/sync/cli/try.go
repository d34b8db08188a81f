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
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// tryFlags are the flags of try.
type tryFlags struct {
	listen, serve, app, person string
	hosts                      []string
	once, launch               bool
}

// newTry returns the verb that shows surveys in an app before anybody else sees them.
func newTry(p *program) *cobra.Command {
	var flags tryFlags
	cmd := &cobra.Command{
		Use:   "try DIR|PLAN|SOURCE",
		Short: "Try surveys in an app, against a server in this process",
		Long: `Serve the surveys of a source from the test server, in this process, and open posthog-js
against it: on a page one chooses who visits (distinct id, properties, groups), where
(address, referrer, device, language) and when, and sees which surveys that person is
offered, why not the others, and the answers as they arrive, with the property that holds
each. Nothing is sent to the service.

The argument is the directory of a configuration, a saved plan or its JSON, or a source. Drafts are
offered to nobody; --launch launches them, in this process alone. Ctrl-C ends it.

With --app the page has no app of its own: yours shows the surveys, by the lines that are
printed. With --once nothing is served: the visit of --person is decided and reported. Its
file has distinct_id, and optionally properties, groups, url, referrer, device and language.`,
		Example: `  # The surveys of the code in this directory, with its drafts
  posthog-sync try . --launch

  # In your own app
  posthog-sync try . --app http://localhost:3000

  # In a script: who is offered what?
  posthog-sync try . --once --person person.json --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.try(cmd.Context(), args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:0", "address of the page; port 0 picks a free one")
	cmd.Flags().StringVar(&flags.serve, "serve", "127.0.0.1:0", "address of the server that apps use; port 0 picks a free one")
	cmd.Flags().StringArrayVar(&flags.hosts, "host", nil, "further name by which page and server are opened, without a port; may be given several times, and * is any name")
	cmd.Flags().StringVar(&flags.app, "app", "", "address of an app of your own that shows the surveys")
	cmd.Flags().BoolVar(&flags.launch, "launch", false, "launch the drafts, in this process alone")
	cmd.Flags().BoolVar(&flags.once, "once", false, "report what the visitor of --person is offered, and end")
	cmd.Flags().StringVar(&flags.person, "person", "", "file with the visit that --once decides, - for stdin")
	excludeEachOther(cmd, "once", "app")
	return cmd
}

// checkApp refuses what is no address of an app.
func (f tryFlags) checkApp() error {
	if app, err := url.Parse(f.app); f.app != "" && (err != nil || app.Host == "" || app.Scheme != "http" && app.Scheme != "https") {
		return fmt.Errorf("--app %q: must be the address of the app, such as http://localhost:3000", f.app)
	}
	return nil
}

// try loads a source into a world, and serves it or decides one visit.
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
		return errors.New("--once decides the visit that the file of --person describes: set both")
	}
	if flags.once {
		if visitor, err = p.readVisit(flags.person); err != nil {
			return fmt.Errorf("--person %s: %w", flags.person, err)
		}
	}
	objects, err := p.loadShown(ctx, s, argument)
	if err != nil {
		return err
	}

	world, err := visit.Start(ctx, objects, visit.Options{
		Listen: flags.serve, Hosts: flags.hosts, Launch: flags.launch, UserAgent: "posthog-sync/" + p.version, Now: p.now,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	if flags.once {
		return errors.Join(p.tryOnce(world, visitor), world.Close())
	}
	return errors.Join(p.serveTry(ctx, world, flags), world.Close())
}

// readVisit reads the file of --person.
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

// tryOnce reports what a visitor is offered.
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
			p.logf("Other machines can reach %s, and whoever does can read and change the surveys of this process; 127.0.0.1:0 keeps them to this machine.", tcp)
		}
	}

	panel := &visit.Panel{World: world, App: flags.app, Guard: guard}
	greeting := fmt.Sprintf("trying surveys on %s/\n", visit.AddressOf(listener.Addr()))
	if flags.app != "" {
		greeting += "\n" + trySnippet(world)
	}
	return p.serveUntilInterrupted(ctx, listener, panel.Handler(), greeting, "The trial has ended; its answers are gone.")
}

// trySnippet is what an app has to do to show the surveys of a world.
func trySnippet(w *visit.World) string {
	return fmt.Sprintf(`posthog.init(%s, {
  api_host: %s,
  opt_out_useragent_filter: true, // for a browser that a test drives
})
`, strconv.Quote(w.Token), strconv.Quote(w.URL))
}

// tryReport is the report of try --once.
type tryReport struct {
	// Format is the version of this document.
	Format  int          `json:"format"`
	Surveys []tryOffered `json:"surveys"`
}

// tryOffered is a survey of the report.
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

// reported implements result.
func (r tryReport) reported() report.Report {
	table := report.Table{Columns: []string{"", "survey", "why not"}, Line: "%-11s  %s: %s"}
	for _, survey := range r.Surveys {
		word := "not offered"
		if survey.IsOffered {
			word = "offered"
		}
		table.Add(word, survey.Name, strings.Join(survey.Reasons, "; "))
	}
	return report.Report{Title: "Who is offered what", Summary: responses.Count(len(r.Surveys), "survey") + ".", Table: table}
}
