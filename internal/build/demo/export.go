package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// outsideSurveys are surveys as people make them in the web interface, for one area of
// a product.
//
//go:embed outside.json
var outsideSurveys string

// areas are those of the product that the demo's surveys ask about.
var areas = []string{"checkout", "search", "billing", "reports", "sharing"}

// createOutside creates twenty surveys without Terraform, and returns their ids.
func (s *server) createOutside(ctx context.Context) ([]string, error) {
	var ids []string
	for _, area := range areas {
		var surveys []json.RawMessage
		if err := json.Unmarshal([]byte(strings.ReplaceAll(outsideSurveys, "AREA", area)), &surveys); err != nil {
			return nil, err
		}
		for _, body := range surveys {
			id, err := s.create(ctx, string(body))
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// exportAll brings twenty surveys that Terraform knows nothing of into code, with two
// commands.
func exportAll(ctx context.Context, say narrator, tf *terraform, srv *server) error {
	say.step("Making twenty surveys outside Terraform, as a team has that starts with code late.")
	ids, err := srv.createOutside(ctx)
	if err != nil {
		return err
	}

	say.step("posthog-sync export --verify, in an empty folder, writes them as code and proves that a plan is empty:")
	if err := tf.sync(ctx, say, "export", "--verify"); err != nil {
		return err
	}
	say.step("terraform apply imports all of them and changes nothing (after terraform init, as in every new folder):")
	if err := tf.init(ctx); err != nil {
		return err
	}
	expected := fmt.Sprintf("Apply complete! Resources: %d imported, 0 added, 0 changed, 0 destroyed.", len(ids))
	if err := tf.applyWith(ctx, say, expected); err != nil {
		return err
	}
	if err := tf.mustBeEmpty(ctx, say.only("No changes.")); err != nil {
		return err
	}
	return pullEdit(ctx, say, tf, srv, ids[0])
}

// pullEdit edits a survey like somebody in the web interface, and writes the edit into the
// code.
func pullEdit(ctx context.Context, say narrator, tf *terraform, srv *server, id string) error {
	say.step("Somebody edits a survey in the web interface. posthog-sync pull writes the edit into the file:")
	edit := `{"appearance": {"position": "left"}, "description": "For the spring campaign"}`
	if err := srv.call(ctx, http.MethodPatch, srv.collections()[0]+id+"/", edit, &struct{}{}); err != nil {
		return err
	}
	if err := tf.sync(ctx, say, "pull"); err != nil {
		return err
	}
	say.line("Code and service agree again:")
	return tf.mustBeEmpty(ctx, say.only("No changes."))
}
