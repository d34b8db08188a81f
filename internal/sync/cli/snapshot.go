package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// newSnapshot returns the command that saves live objects to a document.
func newSnapshot(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "snapshot [FILE]",
		Short: "Save live surveys and import apps in one document",
		Long: `Writes one JSON document to stdout or FILE. It contains the surveys and import apps of an environment,
the feature flags that surveys refer to, and response counts. The flags include those that PostHog
creates for surveys.

The test server can serve the document (posthog-testserver -fixtures FILE), and other commands read
it as the source file:FILE. It contains no API keys, no defaults of secret fields of import apps, and
no authors of surveys. Texts are not redacted. The document is sorted, so that you can compare two
snapshots line by line.`,
		Example: `  # Keep a copy of production
  posthog-sync snapshot --env production production.json

  # Experiment on a copy
  posthog-sync snapshot | posthog-testserver -fixtures -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.snapshot(cmd.Context(), optional(args, "-"))
		},
	}
}

// snapshot takes a snapshot. It writes the whole file or nothing.
func (p *program) snapshot(ctx context.Context, file string) error {
	e, err := p.sourceEnvironment("")
	if err != nil {
		return err
	}
	if file != "-" {
		if err := code.CheckWritable(file); err != nil {
			return err
		}
	}
	document, err := p.takeSnapshot(ctx, e)
	if err != nil {
		return err
	}

	r := newSnapshotReport(file, document)
	if file == "-" {
		r.File = "stdout"
		p.progress.Close()
		if err := document.Write(p.stdout); err != nil {
			return fmt.Errorf("could not write the snapshot: %w", err)
		}
		return writeText(p.stderr, r)
	}
	if err := code.WriteFile(file, document.Write); err != nil {
		return err
	}
	return p.print(r)
}

// takeSnapshot reads the objects of an environment into a document.
func (p *program) takeSnapshot(ctx context.Context, e environment.Environment) (snapshot.Document, error) {
	selected := p.selection()
	service, err := p.live(e, selected)
	if err != nil {
		return snapshot.Document{}, err
	}

	// A document lists a project or an organization only if it contains their objects. Otherwise, sync
	// would treat them as empty, and might delete their objects.
	builder := snapshot.Builder{}
	if selected.surveys {
		builder.ProjectID = e.ProjectID
	}
	if selected.apps {
		builder.OrganizationID = e.OrganizationID
	}

	surveys := 0
	for survey, err := range service.surveys(ctx) {
		if err != nil {
			return snapshot.Document{}, err
		}
		if err := builder.AddSurvey(survey); err != nil {
			return snapshot.Document{}, fmt.Errorf("cannot read the surveys of project %s: %w", e.ProjectID, err)
		}
		surveys++
	}
	for app, err := range service.apps(ctx) {
		if err != nil {
			return snapshot.Document{}, err
		}
		if err := builder.AddApp(app); err != nil {
			return snapshot.Document{}, fmt.Errorf("cannot read the import apps of organization %s: %w", e.OrganizationID, err)
		}
	}

	if p.appsRemoved {
		builder.OrganizationID, builder.RemovedApps = "", true
	}

	if surveys > 0 {
		counts, err := p.countResponses(ctx, service.client.Surveys(e.ProjectID))
		if err != nil {
			return snapshot.Document{}, err
		}
		builder.SetResponses(counts)
	}
	for _, withheld := range builder.Withheld() {
		p.logWithheld(withheld.App, withheld.Field, "sync from this snapshot keeps the value in PostHog")
	}
	return builder.Document()
}

// countResponses counts each survey's responses. If the API key lacks the permission, or if this PostHog
// version cannot count responses, the snapshot contains no counts.
func (p *program) countResponses(ctx context.Context, surveys *client.Surveys) (map[string]int64, error) {
	counts, err := surveys.ResponsesCount(ctx)
	if client.IsForbidden(err) || client.IsNotFound(err) {
		p.logf("Warning: the snapshot does not contain response counts: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot count the responses: %w", err)
	}
	return counts, nil
}

// snapshotReport is the report of snapshot.
type snapshotReport struct {
	File         string `json:"file"`
	Surveys      int    `json:"surveys"`
	Apps         int    `json:"pipeline_import_apps"`
	FeatureFlags int    `json:"feature_flags"`
	Responses    int64  `json:"responses"`
}

func newSnapshotReport(file string, d snapshot.Document) snapshotReport {
	r := snapshotReport{File: file, Surveys: len(d.Surveys), Apps: len(d.PipelineImportApps), FeatureFlags: len(d.FeatureFlags)}
	for _, responses := range d.Responses {
		r.Responses += responses.Count
	}
	return r
}

// toReport implements result.
func (r snapshotReport) toReport() report.Report {
	return report.Report{Title: "Snapshot", Summary: fmt.Sprintf("%s: %s with %s and %s, %s", r.File, responses.Count(r.Surveys, "survey"),
		responses.Count(r.FeatureFlags, "feature flag"), responses.Count(r.Responses, "response"), responses.Count(r.Apps, "import app"))}
}
