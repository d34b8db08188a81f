package main

import (
	"context"
	"fmt"
	"strings"
)

// play is the demo itself, once everything is built and started.
func play(ctx context.Context, say narrator, tf *terraform, srv *server, examples string) error {
	if err := createAll(ctx, say, tf, examples); err != nil {
		return err
	}
	if err := adopt(ctx, say, tf, srv); err != nil {
		return err
	}
	if err := destroyAll(ctx, say, tf, srv); err != nil {
		return err
	}

	exported, err := tf.in("exported")
	if err != nil {
		return err
	}
	if err := exportAll(ctx, say, exported, srv); err != nil {
		return err
	}
	return destroyAll(ctx, say, exported, srv)
}

func createAll(ctx context.Context, say narrator, tf *terraform, examples string) error {
	say.step("Applying examples/demo: an NPS survey, a widget survey and an import app.")
	if err := tf.use(examples); err != nil {
		return err
	}
	if err := tf.init(ctx); err != nil {
		return err
	}
	if err := tf.apply(ctx, say.only("Apply complete!")); err != nil {
		return err
	}
	say.step("Planning again. Nothing has changed, so the plan must be empty:")
	return tf.mustBeEmpty(ctx, say.all())
}

func adopt(ctx context.Context, say narrator, tf *terraform, srv *server) error {
	say.step("Making a survey outside Terraform, with one request like those of the web interface.")
	id, err := srv.create(ctx, adoptedSurvey)
	if err != nil {
		return err
	}
	say.line("The service gave it the id %s.", id)

	say.step("Bringing it under Terraform with an import block and a resource block:")
	say.quote(adoptedBlocks)
	if err := tf.add(adoptedBlocks, map[string]string{"survey_id": id}); err != nil {
		return err
	}
	say.line("The plan imports it and changes nothing, and after the import there is nothing to do:")
	if err := tf.mustOnlyImport(ctx, "posthog_survey.cancelled", say.only("Plan:")); err != nil {
		return err
	}
	if err := tf.apply(ctx, say.only("Apply complete!")); err != nil {
		return err
	}
	return tf.mustBeEmpty(ctx, say.only("No changes."))
}

func destroyAll(ctx context.Context, say narrator, tf *terraform, srv *server) error {
	say.step("Destroying everything.")
	if err := tf.destroy(ctx, say.only("Destroy complete!")); err != nil {
		return err
	}
	var left []string
	for _, path := range srv.collections() {
		count, err := srv.count(ctx, path)
		if err != nil {
			return err
		}
		if count != 0 {
			left = append(left, fmt.Sprintf("%d at %s", count, path))
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("after the destroy the server still holds %s", strings.Join(left, " and "))
	}
	say.line("The server holds no survey and no import app any more.")
	return nil
}
