package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/surveyfile"
)

// configuration is the minimal configuration with which Terraform prints the schema.
const configuration = `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}
`

// writeSchema writes the provider's schema in this tree to a file, so that reviews show schema changes.
func writeSchema(ctx context.Context, terraform, file string) error {
	terraform, err := exec.LookPath(terraform)
	if err != nil {
		return err
	}
	if terraform, err = filepath.Abs(terraform); err != nil {
		return err
	}
	current, err := schema(ctx, terraform)
	if err != nil {
		return err
	}
	return code.WriteFile(file, func(w io.Writer) error {
		_, err := w.Write(current)
		return err
	})
}

// writeSurveysSchema writes the JSON Schema of YAML survey files to a file.
func writeSurveysSchema(file string) error {
	raw, err := json.Marshal(surveyfile.Schema())
	if err != nil {
		return err
	}
	text, err := indent(raw)
	if err != nil {
		return err
	}
	return code.WriteFile(file, code.Content(text))
}

// schema builds the provider and returns its schema from Terraform, indented.
func schema(ctx context.Context, terraform string) (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "posthog-schema-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "terraform-provider-posthog"), ".") //nolint:gosec // a folder of its own
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	settings := filepath.Join(dir, "dev.tfrc")
	overrides := "provider_installation {\n  dev_overrides {\n    \"surveys-as-code/posthog\" = \"" + filepath.ToSlash(dir) + "\"\n  }\n}\n"
	if err := errors.Join(
		os.WriteFile(settings, []byte(overrides), 0o600),
		os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600),
	); err != nil {
		return nil, err
	}

	ask := exec.CommandContext(ctx, terraform, "providers", "schema", "-json") //nolint:gosec // the program that was asked for
	ask.Dir = dir
	ask.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1")
	var stderr bytes.Buffer
	ask.Stderr = &stderr
	out, err := ask.Output()
	if err != nil {
		return nil, fmt.Errorf("%s providers schema: %w\n%s", terraform, err, stderr.String())
	}
	return indent(out)
}

// indent formats JSON for the file: with sorted keys, one per line.
func indent(document []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}
