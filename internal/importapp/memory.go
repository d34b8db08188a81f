package importapp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// appMemory is the content of an app's private state.
type appMemory struct {
	attribute.ObjectMemory

	// IsHidden is set while PostHog hides the app, or may hide it. A 404 then does not prove that the
	// app is gone.
	IsHidden bool
	// IsRemoved is set if the last read found that PostHog had removed import apps. An apply plans
	// again without a read, and must produce the same plan, so the plan may depend only on the state.
	IsRemoved bool
	// Configured are the attributes in the last applied configuration that PostHog may fill in. It is
	// nil if they are not known, so that no value is reset.
	Configured []string
}

// Keys in private state, in addition to those in package attribute. Don't rename them, because
// existing states contain them.
const (
	hiddenKey     = "hidden"
	removedKey    = "removed"
	configuredKey = "configured"
)

// loadMemory reads an app's memory from private state.
func loadMemory(ctx context.Context, private attribute.PrivateState, prior Fields, diags *diag.Diagnostics) appMemory {
	m := appMemory{
		ObjectMemory: attribute.LoadObjectMemory(ctx, private, displayName(prior), diags),
		IsHidden:     attribute.IsMarked(ctx, private, hiddenKey, diags),
		IsRemoved:    attribute.IsMarked(ctx, private, removedKey, diags),
	}
	if json.Unmarshal(attribute.LoadKey(ctx, private, configuredKey, diags), &m.Configured) != nil {
		m.Configured = nil
	}
	return m
}

// Save implements framework.Memory.
func (m *appMemory) Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	m.ObjectMemory.Save(ctx, private, diags)
	attribute.Mark(ctx, private, hiddenKey, m.IsHidden, diags)
	attribute.Mark(ctx, private, removedKey, m.IsRemoved, diags)
	attribute.SaveKey(ctx, private, configuredKey, m.Configured, m.Configured == nil, diags)
}

// configuredNames returns the attributes in a configuration that PostHog may fill in.
func configuredNames(configured func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(serviceFilled), func(name string) bool { return !configured(name) })
}
