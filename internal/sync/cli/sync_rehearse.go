package cli

import (
	"context"
	"encoding/json"
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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// rehearsal is the result of a second run on the copy, after the actions of the report.
type rehearsal struct {
	// SecondRun are the actions that a second run would carry out; there should be none.
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

// rehearse carries the actions out on a copy of B, plans again, and reports both.
func (j *syncJob) rehearse(ctx context.Context) error {
	copied, stop, err := j.copyLive(ctx)
	if err != nil {
		return fmt.Errorf("the copy of %s cannot be made: %w", j.b, err)
	}
	defer stop()

	first, err := j.planFor(ctx, copied)
	if err != nil {
		return fmt.Errorf("rehearsal: %w", err)
	}
	j.targetOf(copied).Run(ctx, &first, func() {})
	second, err := j.planFor(ctx, copied)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("rehearsal: %w", err)
	}

	report := newSyncReport(j.a, j.b, first)
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
		return &differencesError{responses.Count(report.count(reconcile.Done), "action") + " rehearsed, and nothing was written: --yes carries them out"}
	}
	return err
}

// planFor plans the actions that make a live side like A.
func (j *syncJob) planFor(ctx context.Context, l *live) (reconcile.Plan, error) {
	current, err := l.objects(ctx)
	if err != nil {
		return reconcile.Plan{}, err
	}
	return j.plan(ctx, current)
}

// targetOf returns a live side as the target of a plan.
func (j *syncJob) targetOf(l *live) reconcile.Target {
	return reconcile.Target{Client: l.client, ProjectID: l.ProjectID, OrganizationID: l.OrganizationID}
}

// copyLive serves a copy of B on the loopback interface until stop is called. It makes no
// request to B.
func (j *syncJob) copyLive(ctx context.Context) (copied *live, stop func(), err error) {
	document, err := j.copyDocument()
	if err != nil {
		return nil, nil, err
	}
	server, err := testserver.New(testserver.Options{
		Profile: j.profile(), Fixtures: strings.NewReader(document), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}

	serving := &http.Server{Handler: server, ReadHeaderTimeout: time.Minute}
	go func() { _ = serving.Serve(listener) }() // always returns an error, at the latest when it is closed
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
		Environment: side.Environment{Name: j.live.Name, BaseURL: j.live.BaseURL, ProjectID: j.live.ProjectID, OrganizationID: j.live.OrganizationID},
		client:      rehearsalClient, selected: j.live.selected, progress: report.NewProgress(io.Discard, report.ProgressOptions{Off: true, Now: j.now}),
	}, stop, nil
}

// profile is the profile of B; the hosted one if there is no survey to tell by.
func (j *syncJob) profile() testserver.Profile {
	if !j.isHosted() && slices.ContainsFunc(j.current, func(o side.Object) bool { return o.SurveyResponse != nil }) {
		return testserver.Documented
	}
	return testserver.Hosted
}

// isHosted reports whether B is the hosted service: it alone returns a schedule.
func (j *syncJob) isHosted() bool {
	return slices.ContainsFunc(j.current, func(o side.Object) bool {
		return o.SurveyResponse != nil && o.SurveyResponse.Schedule.IsSpecified()
	})
}

// copyDocument is the fixtures document of a copy of B: its objects, and what the surveys of
// A are going to refer to.
func (j *syncJob) copyDocument() (string, error) {
	builder := side.SnapshotBuilder{OrganizationID: j.live.OrganizationID}
	if j.selected.surveys {
		builder.ProjectID = j.live.ProjectID
	}
	for _, o := range j.current {
		var err error
		if o.Kind == side.App {
			err = builder.AddApp(*o.AppResponse)
		} else {
			err = builder.AddSurvey(*o.SurveyResponse)
		}
		if err != nil {
			return "", err
		}
	}
	builder.SetResponses(j.counter.Counts())
	document, err := builder.Document()
	if err != nil {
		return "", err
	}
	if err := j.addReferences(&document); err != nil {
		return "", err
	}

	var text strings.Builder
	err = document.Write(&text)
	return text.String(), err
}

// addReferences adds the flags, actions, cohorts and insights of B that the surveys of A
// refer to and no survey of B does.
func (j *syncJob) addReferences(document *side.SnapshotDocument) error {
	if len(document.Projects) == 0 {
		return nil
	}
	project := document.Projects[0].ID
	if err := j.addFlags(document, project); err != nil {
		return err
	}

	add := func(list *[]side.Named, id int64, name string) {
		isListed := slices.ContainsFunc(*list, func(n side.Named) bool { return n.ID == id })
		if !isListed {
			*list = append(*list, side.Named{ID: id, ProjectID: project, Name: name})
		}
	}
	for _, id := range j.options.Actions {
		add(&document.Actions, id, fmt.Sprint("action ", id))
	}
	for _, id := range j.options.Cohorts {
		add(&document.Cohorts, id, "")
	}
	if !j.options.SameProject {
		return nil
	}

	// Within one project the ids of A are those of B.
	for _, o := range j.desired {
		if o.SurveyResponse == nil {
			continue
		}
		references := survey.ReferencesOf(*o.SurveyResponse)
		for _, action := range references.Actions {
			add(&document.Actions, action.ID, action.Name)
		}
		for _, id := range references.Cohorts {
			add(&document.Cohorts, id, "")
		}
		if id, err := o.SurveyResponse.LinkedInsightID.Get(); err == nil {
			add(&document.Insights, id, "")
		}
	}
	return nil
}

// addFlags adds the flags of B that the surveys of A refer to and the document lacks.
func (j *syncJob) addFlags(document *side.SnapshotDocument, project int64) error {
	listed := map[int64]bool{}
	for _, raw := range document.FeatureFlags {
		var flag struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal(raw, &flag); err != nil {
			return err
		}
		listed[flag.ID] = true
	}

	for key, id := range j.options.Flags {
		if listed[id] {
			continue
		}
		listed[id] = true
		raw, err := json.Marshal(map[string]any{"id": id, "project_id": project, "key": j.options.FlagKeys[key]})
		if err != nil {
			return err
		}
		document.FeatureFlags = append(document.FeatureFlags, raw)
	}
	return nil
}
