package visit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Options are the options of [Start].
type Options struct {
	// Listen is the address of the server; empty for a free port of the loopback interface.
	Listen string
	// Hosts are further names of the server, as testserver.Options has them.
	Hosts []string
	// Launch launches the drafts, in this world alone.
	Launch bool
	// UserAgent names the program in the journal of the server.
	UserAgent string
	Now       func() time.Time
}

// World is a running server with the surveys of a source.
type World struct {
	// URL is the address of the server, Token the project token that an app has to use.
	URL, Token string
	// Notes say what differs from the service.
	Notes []string

	address   net.Addr
	server    *testserver.Server
	serving   *http.Server
	client    *client.Client
	projectID string
	clock     func() time.Time
	// stopped is the time at which the clock stands; nil while it runs.
	stopped atomic.Pointer[time.Time]
	// id tells this world from others, of which a browser may remember surveys.
	id string
}

// Start serves the surveys of a source until Close is called.
func Start(ctx context.Context, objects []source.Object, o Options) (*World, error) {
	contents, err := readContents(objects)
	if err != nil {
		return nil, err
	}
	w := &World{projectID: contents.projectID, Notes: contents.notes, clock: o.Now, id: rand.Text()}
	w.server, err = testserver.New(testserver.Options{
		Profile: testserver.Hosted, Fixtures: strings.NewReader(contents.document), Clock: w.Now, Hosts: o.Hosts,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, fmt.Errorf("the surveys cannot be loaded: %w", err)
	}
	w.Token = w.server.ProjectToken(contents.projectID)
	if err := w.listen(ctx, o); err != nil {
		return nil, err
	}
	if err := w.fill(ctx, contents, o); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// listen serves the world.
func (w *World) listen(ctx context.Context, o Options) error {
	address := o.Listen
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", address, err)
	}

	w.address, w.URL = listener.Addr(), ListenerURL(listener.Addr())
	w.serving = &http.Server{Handler: w.server, ReadHeaderTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	go func() { _ = w.serving.Serve(listener) }() // always returns an error, at the latest when it is closed

	key, _, _ := w.server.Credentials()
	w.client, err = client.New(client.Options{BaseURL: w.URL, APIKey: key, UserAgent: o.UserAgent, Now: o.Now})
	return err
}

// fill creates the surveys that are not on a service yet, and launches drafts.
func (w *World) fill(ctx context.Context, contents contents, o Options) error {
	surveys := w.client.Surveys(w.projectID)
	ids := map[string]string{}
	for _, planned := range contents.planned {
		created, err := surveys.CreateOnce(ctx, planned.request)
		if err != nil {
			return fmt.Errorf("survey %q: the service would refuse it: %w", planned.name, err)
		}
		// A flag that targets is made with a draft, and decides before the survey runs.
		if planned.dates.StartDate.IsSpecified() || planned.dates.EndDate.IsSpecified() {
			if _, err := surveys.Update(ctx, *created.ID, planned.dates); err != nil {
				return fmt.Errorf("survey %q: the service would not launch it: %w", planned.name, err)
			}
		}
		if planned.id != "" {
			ids[*created.ID] = planned.id
		}
	}
	if err := w.rename(ids); err != nil {
		return err
	}
	if o.Launch {
		return w.launchDrafts(ctx)
	}
	return nil
}

// rename gives surveys the ids that they have on the service, since apps know them by these.
func (w *World) rename(ids map[string]string) error {
	if len(ids) == 0 {
		return nil
	}
	var document strings.Builder
	if err := w.server.Dump(&document); err != nil {
		return err
	}
	var pairs []string
	for placeholder, id := range ids {
		pairs = append(pairs, placeholder, id)
	}
	return w.server.SetFixtures(strings.NewReader(strings.NewReplacer(pairs...).Replace(document.String())))
}

// launchDrafts launches what was never launched.
func (w *World) launchDrafts(ctx context.Context) error {
	surveys := w.client.Surveys(w.projectID)
	for survey, err := range surveys.List(ctx, client.ListOptions{}) {
		if err != nil {
			return err
		}
		if _, err := survey.StartDate.Get(); err == nil || survey.ID == nil {
			continue
		}
		if _, err := surveys.Update(ctx, *survey.ID, startedAt(w.Now())); err != nil {
			name, _ := survey.Name.Get() // a survey without a name is refused before
			return fmt.Errorf("survey %q: the service would not launch it: %w", name, err)
		}
	}
	return nil
}

// Addr is the address on which the server listens.
func (w *World) Addr() net.Addr { return w.address }

// Close ends the server.
func (w *World) Close() error { return w.serving.Close() }

// ListenerURL is the URL by which a browser on this machine reaches a listener: that of all addresses
// is none that can be opened.
func ListenerURL(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return "http://" + address.String()
}

// stopClock stops the clock of the world, or lets it run with nil, and does what the service does
// as time passes.
func (w *World) stopClock(stopTime *time.Time) {
	w.stopped.Store(stopTime)
	w.server.RunJobs()
}

// Now is the time of the world.
func (w *World) Now() time.Time {
	if stopped := w.stopped.Load(); stopped != nil {
		return *stopped
	}
	return w.clock()
}

// Offers are the surveys of the world with what keeps each from a visitor, sorted by name.
func (w *World) Offers(visit Visit) ([]testserver.SurveyOffer, error) {
	groups := map[string]testserver.VisitGroup{}
	for kind, group := range visit.Groups {
		groups[kind] = testserver.VisitGroup(group)
	}
	offers, err := w.server.Offers(w.projectID, testserver.Visit{
		DistinctID: visit.DistinctID, Properties: visit.personProperties(), Groups: groups, URL: visit.URL, Device: visit.Device,
	})
	slices.SortStableFunc(offers, func(a, b testserver.SurveyOffer) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return offers, err
}
