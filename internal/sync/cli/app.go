package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// newApp returns the verbs for single import apps. They do what the provider's actions do in
// Terraform, for OpenTofu, which has no actions.
func newApp(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "app",
		Short: "Upgrade an import app, or replace its source",
		Example: `  # Install the newest version of the code of app 12
  posthog-sync app upgrade 12`,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "upgrade ID",
			Short: "Install the newest version of an import app's code",
			Long: `Let the service install the newest version of an import app's code. The key needs the
scope plugin:write.

The hosted service offers this to people who are signed in to its web interface, and to no
API key, whatever its scopes: there, the command ends with an error. A PostHog of your own
may allow it.`,
			Example: `  posthog-sync app upgrade 12`,
			Args:    cobra.ExactArgs(1),
			RunE:    func(cmd *cobra.Command, args []string) error { return p.upgradeApp(cmd.Context(), args[0]) },
		},
		&cobra.Command{
			Use:   "update-source ID DIR",
			Short: "Replace the source of an import app by the files of a directory",
			Long: `Send the files of DIR, such as plugin.json and index.ts, as the source of an import
app of plugin_type source. Files whose names begin with a dot and subdirectories are
left out. The key needs the scope plugin:write.

The hosted service offers this to people who are signed in to its web interface, and to no
API key, whatever its scopes: there, the command ends with an error. A PostHog of your own
may allow it.`,
			Example: `  posthog-sync app update-source 12 ./geoip`,
			Args:    cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return p.updateAppSource(cmd.Context(), args[0], args[1])
			},
		},
	)

	return cmd
}

func (p *program) upgradeApp(ctx context.Context, argument string) error {
	apps, id, err := p.appOf(argument)
	if err != nil {
		return err
	}
	if _, err := apps.Upgrade(ctx, id, api.PipelineImportAppRequest{}); err != nil {
		return fmt.Errorf("import app %d was not upgraded: %w", id, err)
	}
	return p.print(appReport{ID: id, Done: "upgraded"})
}

func (p *program) updateAppSource(ctx context.Context, argument, dir string) error {
	apps, id, err := p.appOf(argument)
	if err != nil {
		return err
	}
	files, err := readSource(dir)
	if err != nil {
		return err
	}
	body, err := json.Marshal(files)
	if err != nil {
		return err
	}

	if _, err := apps.UpdateSource(ctx, id, body); err != nil {
		return fmt.Errorf("the source of import app %d was not updated: %w", id, err)
	}
	return p.print(appReport{ID: id, Done: "source updated", Files: len(files)})
}

// appOf returns the import apps of the environment, and the id in an argument.
func (p *program) appOf(argument string) (*client.PipelineImportApps, int64, error) {
	id, err := strconv.ParseInt(argument, 10, 64)
	if err != nil || id < 1 {
		return nil, 0, fmt.Errorf("%q is not the id of an import app: it must be a whole number", argument)
	}
	e, err := p.environment()
	if err != nil {
		return nil, 0, err
	}
	if e.OrganizationID == "" {
		return nil, 0, fmt.Errorf("environment %q has no organization_id (POSTHOG_ORGANIZATION_ID), so it has no import apps", e.Name)
	}
	c, err := p.client(e)
	if err != nil {
		return nil, 0, err
	}
	return c.PipelineImportApps(e.OrganizationID), id, nil
}

// readSource reads the files of a directory as texts by name.
func readSource(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the source: %w", err)
	}

	files := map[string]string{}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || entry.Name()[0] == '.' {
			continue
		}

		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("cannot read the source: %w", err)
		}
		if !utf8.Valid(text) {
			return nil, fmt.Errorf("%s is not text: the source of an import app is a set of UTF-8 texts", filepath.Join(dir, entry.Name()))
		}
		files[entry.Name()] = string(text)
	}

	if len(files) == 0 {
		return nil, errors.New(dir + " has no files: the source of an import app is at least plugin.json and index.ts")
	}
	return files, nil
}

// appReport says what was done to an import app.
type appReport struct {
	ID    int64  `json:"id"`
	Done  string `json:"done"`
	Files int    `json:"files,omitempty"`
}

// Text implements report.
func (r appReport) Text(b *bytes.Buffer) {
	files := ""
	if r.Files > 0 {
		files = " (" + count(r.Files, "file") + ")"
	}
	fmt.Fprintf(b, "import app %d: %s%s\n", r.ID, r.Done, files)
}

// Markdown implements report.
func (r appReport) Markdown(b *bytes.Buffer) {
	r.Done = markdownText(r.Done)
	r.Text(b)
}
