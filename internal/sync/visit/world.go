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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Options are the options of [Start].
type Options struct {
	// Listen is the address on which the server listens. If it is empty, the server uses a free port on the
	// loopback interface.
	Listen string
	// Hosts contains additional host names for the server. See testserver.Options.
	Hosts []string
	// Launch launches drafts, but only in this world.
	Launch bool
	// UserAgent identifies the program in the server's journal.
	UserAgent string
	Now       func() time.Time
}

// World is a running test server with a source's surveys.
type World struct {
	// URL is the server's URL. Token is the project token that an app must use.
	URL, Token string
	// Notes describes how the world differs from PostHog.
	Notes []string

	address   net.Addr
	server    *testserver.Server
	serving   *http.Server
	client    *client.Client
	projectID string
	clock     func() time.Time
	// stopped is the time at which the clock stopped. It is nil while the clock runs.
	stopped atomic.Pointer[time.Time]
	// id distinguishes this world from earlier worlds whose surveys a browser may remember.
	id string
}

// Start serves a source's surveys until Close is called.
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

// listen starts to serve the world.
func (w *World) listen(ctx context.Context, o Options) error {
	address := o.Listen
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := web.Listen(ctx, address)
	if err != nil {
		return err
	}

	w.address, w.URL = listener.Addr(), ListenerURL(listener.Addr())
	w.serving = &http.Server{Handler: w.server, ReadHeaderTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	go func() { _ = w.serving.Serve(listener) }() // Serve returns an error when the server is closed

	key, _, _ := w.server.Credentials()
	w.client, err = client.New(client.Options{BaseURL: w.URL, APIKey: key, UserAgent: o.UserAgent, Now: o.Now})
	return err
}

// fill creates the surveys that do not exist in PostHog yet, and launches drafts.
func (w *World) fill(ctx context.Context, contents contents, o Options) error {
	surveys := w.client.Surveys(w.projectID)
	ids := map[string]string{}
	for _, planned := range contents.planned {
		created, err := surveys.CreateOnce(ctx, planned.request)
		if err != nil {
			return fmt.Errorf("survey %q: PostHog would reject it: %w", planned.name, err)
		}
		// PostHog creates the targeting flag together with the draft. The flag takes effect before the launch.
		if planned.dates.StartDate.IsSpecified() || planned.dates.EndDate.IsSpecified() {
			if _, err := surveys.Update(ctx, *created.ID, planned.dates); err != nil {
				return fmt.Errorf("survey %q: PostHog would not launch it: %w", planned.name, err)
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

// rename gives surveys the same IDs as in PostHog, because apps refer to surveys by ID.
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

// launchDrafts launches the surveys that were never launched.
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
			name, _ := survey.Name.Get() // an earlier check rejects a survey without a name
			return fmt.Errorf("survey %q: PostHog would not launch it: %w", name, err)
		}
	}
	return nil
}

// Addr returns the address on which the server listens.
func (w *World) Addr() net.Addr { return w.address }

// Close stops the server.
func (w *World) Close() error { return w.serving.Close() }

// ListenerURL returns a URL that a browser on this machine can use to reach a listener. For a listener on all
// interfaces, the URL contains a loopback address, because browsers cannot open an unspecified address.
func ListenerURL(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return "http://" + address.String()
}

// stopClock stops the world's clock at a time, or restarts it if the time is nil. It then applies the changes
// that PostHog makes over time.
func (w *World) stopClock(stopTime *time.Time) {
	w.stopped.Store(stopTime)
	w.server.RunJobs()
}

// Now returns the world's current time.
func (w *World) Now() time.Time {
	if stopped := w.stopped.Load(); stopped != nil {
		return *stopped
	}
	return w.clock()
}

// Offers returns the world's surveys, sorted by name, with the reasons why a person does not see them.
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
