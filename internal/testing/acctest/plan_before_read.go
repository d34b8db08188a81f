package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PlanBeforeRead plans a configuration twice, each time in a run of its own: as
// terraform plan does, which reads the object first, and as a CLI does that plans
// before it reads. It says what is different in the second plan; "" when nothing is. It
// leaves the object as it was.
func (o *Resource) PlanBeforeRead(config map[string]any) string {
	o.t.Helper()
	usual, early := *o, *o
	o.env.NextRun(o.t, &usual)
	readBefore := usual.Refresh()
	want := usual.Plan(config)

	o.env.NextRun(o.t, &early)
	early.Plan(config)
	readAfter := early.Refresh()
	got := early.Plan(config)

	for _, one := range []struct {
		what      string
		want, got any
	}{
		{"diagnostics of the read", readBefore.lines(), readAfter.lines()},
		{"state", usual.state.String(), early.state.String()},
		{"private state", keysOf(usual.private), keysOf(early.private)},
		{"diagnostics of the plan", want.Diagnostics.lines(), got.Diagnostics.lines()},
		{"planned state", want.Planned.String(), got.Planned.String()},
		{"replacements", len(want.RequiresReplace), len(got.RequiresReplace)},
		{"planned private state", keysOf(want.private), keysOf(got.private)},
	} {
		if wanted, have := fmt.Sprint(one.want), fmt.Sprint(one.got); wanted != have {
			return fmt.Sprintf("%s after plan and read:\n%s\nafter read:\n%s", one.what, have, wanted)
		}
	}
	return ""
}

// keysOf lists what private state holds.
func keysOf(private []byte) string {
	raw := map[string][]byte{}
	if len(private) > 0 && json.Unmarshal(private, &raw) != nil {
		return string(private)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		fmt.Fprintf(&b, "%s=%s\n", key, raw[key])
	}
	return b.String()
}
