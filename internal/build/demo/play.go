package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

var (
	// adoptedSurvey is a survey as the web interface would make it.
	//
	//go:embed adopted.json
	adoptedSurvey string
	// adoptedBlocks bring it under Terraform.
	//
	//go:embed adopted.tf
	adoptedBlocks string
	// outsideSurveys are surveys as people make them in the web interface, for one area of a
	// product.
	//
	//go:embed outside.json
	outsideSurveys string
)

// step starts a new step.
func step(text string) { fmt.Print("\n" + text + "\n") }

// show shows the lines of a text that have a beginning, or warn.
func show(text, beginning string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if line != "" && (strings.HasPrefix(line, beginning) || strings.Contains(line, "Warning: ")) {
			fmt.Println("  | " + line)
		}
	}
}

// play is the demo itself, once everything is built and started.
func play(ctx context.Context, tf *terraform, srv *server) error {
	if err := create(ctx, tf); err != nil {
		return err
	}
	if err := adopt(ctx, tf, srv); err != nil {
		return err
	}
	if err := destroy(ctx, tf, srv); err != nil {
		return err
	}

	exported, err := tf.in("exported")
	if err != nil {
		return err
	}
	last, err := export(ctx, exported, srv)
	if err != nil {
		return err
	}
	if err := pull(ctx, exported, srv, last); err != nil {
		return err
	}
	return destroy(ctx, exported, srv)
}

func create(ctx context.Context, tf *terraform) error {
	step("Applying examples/demo: an NPS survey, a widget survey and an import app.")
	files, err := filepath.Glob(filepath.Join("examples", "demo", "*.tf"))
	if err != nil || len(files) == 0 {
		return errors.Join(errors.New("there is no configuration in examples/demo"), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err := errors.Join(err, tf.write(filepath.Base(file), string(text))); err != nil {
			return err
		}
	}
	if err := tf.init(ctx); err != nil {
		return err
	}
	if err := tf.apply(ctx, "3 added"); err != nil {
		return err
	}
	step("Planning again. Nothing has changed, so the plan must be empty:")
	return tf.mustBeEmpty(ctx)
}

func adopt(ctx context.Context, tf *terraform, srv *server) error {
	step("Making a survey outside Terraform, with one request like those of the web interface.")
	id, err := srv.create(ctx, adoptedSurvey)
	if err != nil {
		return err
	}
	fmt.Printf("  The service gave it the id %s.\n", id)

	step("Bringing it under Terraform with an import block and a resource block:")
	show(adoptedBlocks, "")
	variables, err := json.Marshal(map[string]string{"survey_id": id})
	if err := errors.Join(err, tf.write("adopted.tf", adoptedBlocks), tf.write("adopted.auto.tfvars.json", string(variables))); err != nil {
		return err
	}
	fmt.Println("  The apply imports it and changes nothing, and after it there is nothing to do:")
	if err := tf.apply(ctx, "1 imported, 0 added, 0 changed, 0 destroyed."); err != nil {
		return err
	}
	return tf.mustBeEmpty(ctx)
}

// export brings twenty surveys that Terraform knows nothing of into code, with two commands.
func export(ctx context.Context, tf *terraform, srv *server) (last string, err error) {
	step("Making twenty surveys outside Terraform, as a team has that starts with code late.")
	made := 0
	for _, area := range []string{"checkout", "search", "billing", "reports", "sharing"} {
		var surveys []json.RawMessage
		if err := json.Unmarshal([]byte(strings.ReplaceAll(outsideSurveys, "AREA", area)), &surveys); err != nil {
			return "", err
		}
		for _, body := range surveys {
			if last, err = srv.create(ctx, string(body)); err != nil {
				return "", err
			}
			made++
		}
	}

	step("posthog-sync export --verify, in an empty folder, writes them as code and proves that a plan is empty:")
	if err := tf.sync(ctx, "export", "--verify"); err != nil {
		return "", err
	}
	step("terraform apply imports all of them and changes nothing (after terraform init, as in every new folder):")
	if err := tf.init(ctx); err != nil {
		return "", err
	}
	if err := tf.apply(ctx, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed.", made)); err != nil {
		return "", err
	}
	return last, tf.mustBeEmpty(ctx)
}

// pull edits a survey like somebody in the web interface, and writes the edit into the code.
func pull(ctx context.Context, tf *terraform, srv *server, id string) error {
	step("Somebody edits a survey in the web interface. posthog-sync pull writes the edit into the file:")
	edit := `{"appearance": {"position": "left"}, "description": "For the spring campaign"}`
	surveys, _ := srv.collections()
	if err := srv.call(ctx, http.MethodPatch, surveys+id+"/", edit, &struct{}{}); err != nil {
		return err
	}
	if err := tf.sync(ctx, "pull"); err != nil {
		return err
	}
	fmt.Println("  Code and service agree again:")
	return tf.mustBeEmpty(ctx)
}

func destroy(ctx context.Context, tf *terraform, srv *server) error {
	step("Destroying everything.")
	if err := tf.cli(ctx, "Destroy complete!", "", "destroy", "-auto-approve"); err != nil {
		return err
	}
	surveys, apps := srv.collections()
	for _, path := range []string{surveys, apps} {
		var page struct{ Count *int }
		if err := srv.call(ctx, http.MethodGet, path, "", &page); err != nil {
			return err
		}
		if page.Count == nil || *page.Count != 0 {
			return fmt.Errorf("after the destroy the server still holds objects at %s", path)
		}
	}
	fmt.Println("  The server holds no survey and no import app any more.")
	return nil
}
