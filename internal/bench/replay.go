package main

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// replay plans a script with the contender, in the order and number of calls that
// Terraform 1.11 makes: it starts the provider three times, for the schema, for
// validation, and for the plan itself, which validates every block again. The
// result is the CPU time that all of it took.
//
// A plan that changes what should stay, or keeps what should change, is an error.
func replay(ctx context.Context, c contender, path string, change bool) (time.Duration, error) {
	newServer, err := c.server(ctx)
	if err != nil {
		return 0, err
	}
	began, err := cpuTime()
	if err != nil {
		return 0, err
	}
	if _, err := (session{ctx, newServer()}).schema(); err != nil {
		return 0, err
	}
	validating := session{ctx, newServer()}
	validated, err := openScript(path)
	if err != nil {
		return 0, err
	}
	if err := validated.each(ctx, func(e entry) error { return validating.validate(e.config(change)) }); err != nil {
		return 0, err
	}
	planning := session{ctx, newServer()}
	planned, err := openScript(path)
	if err != nil {
		return 0, err
	}
	if err := planning.configure(planned.ProviderConfig); err != nil {
		return 0, err
	}
	if err := planned.each(ctx, func(e entry) error { return planning.replay(planned.opening, e, change) }); err != nil {
		return 0, err
	}
	ended, err := cpuTime()
	return ended - began, err
}

func (e entry) config(change bool) []byte {
	if change {
		return e.Changed
	}
	return e.Config
}

// replay is what is called for one survey during the plan.
func (s session) replay(o opening, e entry, change bool) error {
	if _, err := s.upgrade(o.SchemaVersion, e.StateJSON); err != nil {
		return err
	}
	// What comes back may be JSON; Terraform itself turns it into the other encoding.
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
	if sameBytes(planned.PlannedState.MsgPack, prior.MsgPack) == change {
		return fmt.Errorf("a plan was expected to change something: %t, and it did otherwise", change)
	}
	return nil
}

// sameBytes tells whether two encodings hold the same bytes, in whatever order: that
// of a map is left to chance. To decode them would cost more than what is measured.
func sameBytes(a, b []byte) bool {
	var counts [256]int
	for _, c := range a {
		counts[c]++
	}
	for _, c := range b {
		counts[c]--
	}
	return counts == [256]int{}
}
