package main

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// replay plans a recording with the variant, with the same calls in the same order as
// Terraform 1.11: it starts the provider three times, for the schema, for validation, and
// for the plan itself, which validates every block again. It returns the CPU time.
//
// A plan that changes what should stay, or keeps what should change, is an error.
func replay(ctx context.Context, c variant, path string, change bool) (time.Duration, error) {
	newServer, err := c.server(ctx)
	if err != nil {
		return 0, err
	}

	return cpuOf(func() error { return replayCalls(ctx, newServer, path, change) })
}

// replayCalls makes the calls of the three providers that Terraform starts.
func replayCalls(ctx context.Context, newServer func() tfprotov6.ProviderServer, path string, change bool) error {
	if _, err := (session{ctx, newServer()}).schema(); err != nil {
		return err
	}

	validating := session{ctx, newServer()}
	validated, err := openRecording(path)
	if err != nil {
		return err
	}
	if err := validated.each(ctx, func(e recordedSurvey) error { return validating.validate(e.config(change)) }); err != nil {
		return err
	}

	planning := session{ctx, newServer()}
	planned, err := openRecording(path)
	if err != nil {
		return err
	}
	if err := planning.configure(planned.ProviderConfig); err != nil {
		return err
	}
	return planned.each(ctx, func(e recordedSurvey) error { return planning.replayPlan(planned.recordingHeader, e, change) })
}

func (e recordedSurvey) config(change bool) []byte {
	if change {
		return e.Changed
	}
	return e.Config
}

// replayPlan makes the calls of a plan for one survey.
func (s session) replayPlan(o recordingHeader, e recordedSurvey, change bool) error {
	if _, err := s.upgrade(o.SchemaVersion, e.StateJSON); err != nil {
		return err
	}

	// The response may be JSON, which Terraform converts to MessagePack.
	prior, private, err := s.read(&tfprotov6.DynamicValue{MsgPack: e.State}, e.Private)
	if err != nil {
		return err
	}

	config := e.config(change)
	if err := s.validate(config); err != nil {
		return err
	}

	proposed := prior
	if change {
		proposed = &tfprotov6.DynamicValue{MsgPack: e.Proposed}
	}

	planned, err := s.plan(prior, proposed, &tfprotov6.DynamicValue{MsgPack: config}, private)
	if err != nil {
		return err
	}

	if sameByteCounts(planned.PlannedState.MsgPack, prior.MsgPack) == change {
		return fmt.Errorf("a plan was expected to change something: %t, but it did the opposite", change)
	}
	return nil
}

// sameByteCounts reports whether two encodings hold the same bytes in any order: that of a
// map is random. Decoding them would cost more than what is measured.
func sameByteCounts(a, b []byte) bool {
	var counts [256]int
	for _, c := range a {
		counts[c]++
	}
	for _, c := range b {
		counts[c]--
	}
	return counts == [256]int{}
}
