package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// rehearsal is the result of a second run on the copy, after the actions of the report.
type rehearsal struct {
	// SecondRun contains the actions that a second run would execute. It should be empty.
	SecondRun []reconcile.Action `json:"second_run"`
}

func (r rehearsal) sentence(b string) string {
	text := fmt.Sprintf("Rehearsed on a copy of %s in memory: nothing was written to %s.", b, b)
	if len(r.SecondRun) == 0 {
		return text + " A second run has nothing to do."
	}
	var names []string
	for _, action := range r.SecondRun {
		names = append(names, fmt.Sprintf("%s %s %q", action.Verb, kindWord(action.Kind), action.Name))
	}
	return text + " A second run would do more: " + strings.Join(names, ", ") + "."
}

// rehearse executes the actions on a copy of B, plans again, and reports both results.
func (j *syncJob) rehearse(ctx context.Context) error {
	copied, stop, err := j.copyLive(ctx)
	if err != nil {
		return fmt.Errorf("cannot copy %s: %w", j.b, err)
	}
	defer stop()

	first, err := j.planLive(ctx, copied)
	if err != nil {
		return fmt.Errorf("rehearsal: %w", err)
	}
	j.syncTarget(copied).Run(ctx, &first, func() {})
	second, err := j.planLive(ctx, copied)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("rehearsal: %w", err)
	}

	report := newSyncReport(j.a, j.b, first, nil, nil)
	report.Rehearsal = &rehearsal{SecondRun: []reconcile.Action{}}
	for _, action := range second.Actions {
		if action.Outcome == reconcile.Planned {
			report.Rehearsal.SecondRun = append(report.Rehearsal.SecondRun, action)
		}
	}
	err = j.finish(report, ctx.Err())
	switch {
	case ctx.Err() != nil:
		return err
	case len(report.Rehearsal.SecondRun) > 0:
		return fmt.Errorf("the rehearsal does not converge: a second run would carry out %s", responses.Count(len(report.Rehearsal.SecondRun), "action"))
	case err == nil && report.count(reconcile.Done) > 0:
		return &differencesError{responses.Count(report.count(reconcile.Done), "action") + " rehearsed, none carried out. To carry them out, use --yes"}
	}
	return err
}

// planLive plans the actions that make a live source equal to A.
func (j *syncJob) planLive(ctx context.Context, l *live) (reconcile.Plan, error) {
	current, err := l.objects(ctx, source.Object.Shelved)
	if err != nil {
		return reconcile.Plan{}, err
	}
	return j.plan(ctx, current)
}

// syncTarget returns a live source as the target of a plan.
func (j *syncJob) syncTarget(l *live) reconcile.Target {
	return reconcile.Target{Client: l.client, ProjectID: l.ProjectID, OrganizationID: l.OrganizationID}
}

// copyLive serves a copy of B on the loopback interface until stop is called. It makes no requests to
// B.
func (j *syncJob) copyLive(ctx context.Context) (copied *live, stop func(), err error) {
	document, err := reconcile.CopyDocument(j.desired, j.current, j.options, j.selected.surveys, j.counter.Counts())
	if err != nil {
		return nil, nil, err
	}
	var text strings.Builder
	if err := document.Write(&text); err != nil {
		return nil, nil, err
	}
	server, err := testserver.New(testserver.Options{
		Profile: j.profile(), Fixtures: strings.NewReader(text.String()), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}

	serving := &http.Server{Handler: server, ReadHeaderTimeout: time.Minute}
	go func() { _ = serving.Serve(listener) }() // Serve returns an error when the server is closed
	stop = func() { _ = serving.Close() }

	key, _, _ := server.Credentials()
	rehearsalClient, err := client.New(client.Options{
		BaseURL: "http://" + listener.Addr().String(), APIKey: key, UserAgent: "posthog-sync/" + j.version, Now: j.now, Sleep: j.sleep,
	})
	if err != nil {
		stop()
		return nil, nil, err
	}
	return &live{
		Environment: environment.Environment{Name: j.live.Name, BaseURL: j.live.BaseURL, ProjectID: j.live.ProjectID, OrganizationID: j.live.OrganizationID},
		client:      rehearsalClient, selected: j.live.selected, progress: report.NewProgress(io.Discard, report.ProgressOptions{Off: true, Now: j.now}),
	}, stop, nil
}

// profile returns the test server profile that matches B. It defaults to the hosted profile if B does not
// have a survey from which to detect the profile.
func (j *syncJob) profile() testserver.Profile {
	if !j.isHosted() && slices.ContainsFunc(j.current, func(o source.Object) bool { return o.Kind == source.Survey }) {
		return testserver.Documented
	}
	return testserver.Hosted
}

// isHosted reports whether B behaves like the hosted profile. Only the hosted profile returns a survey's
// schedule.
func (j *syncJob) isHosted() bool {
	return slices.ContainsFunc(j.current, func(o source.Object) bool {
		return o.Kind == source.Survey && o.Whole().SurveyResponse.Schedule.IsSpecified()
	})
}
