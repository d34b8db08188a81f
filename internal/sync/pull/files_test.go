package pull_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

const block = "resource \"posthog_survey\" \"s\" {\n  name = \"NPS\"\n}\n"

// drifted returns the resources in a plan in which teammates have renamed surveys from "NPS" to "Net".
func drifted(t *testing.T, addresses ...string) []pull.Resource {
	t.Helper()
	plan := &tfjson.Plan{}
	for _, address := range addresses {
		change := &tfjson.ResourceChange{
			Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
			Change: &tfjson.Change{Actions: update, Before: object{"name": "Net"}, After: object{"name": "NPS"}},
		}
		drift := *change
		drift.Change = &tfjson.Change{Before: object{"name": "NPS"}, After: object{"name": "Net"}}
		plan.ResourceChanges, plan.ResourceDrift = append(plan.ResourceChanges, change), append(plan.ResourceDrift, &drift)
	}
	resources, err := pull.Resources(plan, nil, nil, func(string) bool { return true })
	require.NoError(t, err)
	return resources
}

// directory creates files by path.
func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// calls returns a configuration that calls modules.
func calls(modules map[string]*tfjson.ModuleCall) *tfjson.Config {
	for _, call := range modules {
		if call.Module == nil {
			call.Module = &tfjson.ConfigModule{}
		}
	}
	return &tfjson.Config{RootModule: &tfjson.ConfigModule{ModuleCalls: modules}}
}

// pull writes drift only to the file that declares the resource, in its module's directory. If the block declares
// several objects, or is outside of the directory, pull leaves the drift and reports the reason.
func TestWhichDriftGoesToWhichFile(t *testing.T) {
	t.Parallel()
	nested := &tfjson.ConfigModule{ModuleCalls: map[string]*tfjson.ModuleCall{"inner": {Source: "../inner", Module: &tfjson.ConfigModule{}}}}
	for name, c := range map[string]struct {
		files   map[string]string
		config  *tfjson.Config
		address string
		want    string
		reason  string
	}{
		"the root":       {map[string]string{"a.tf": "# none\n", "b.tf": block}, nil, address, "b.tf", ""},
		"for OpenTofu":   {map[string]string{"main.tofu": block}, nil, address, "main.tofu", ""},
		"for both":       {map[string]string{"main.tf": block, "main.tofu": block}, nil, address, "", "a .tf file and a .tofu file both declare it. Make the change in both files"},
		"an override":    {map[string]string{"main.tf": block, "override.tf": block}, nil, address, "override.tf", ""},
		"not overridden": {map[string]string{"main.tf": block, "main_override.tf": "resource \"posthog_survey\" \"s\" {\n}\n"}, nil, address, "main.tf", ""},
		"a new argument, overridden": {
			map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  type = \"api\"\n}\n", "main_override.tf": "resource \"posthog_survey\" \"s\" {\n  description = \"x\"\n}\n"},
			nil, address, "main.tf", "",
		},
		"a module": {
			map[string]string{"main.tf": block, "m/s.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "./m"}}), "module.m." + address, "m/s.tf", "",
		},
		"a module of a module": {
			map[string]string{"outer/main.tf": block, "inner/s.tf": block}, calls(map[string]*tfjson.ModuleCall{"outer": {Source: "./outer", Module: nested}}),
			"module.outer.module.inner." + address, "inner/s.tf", "",
		},
		"a module that is called twice": {
			map[string]string{"m/s.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "./m"}, "again": {Source: "./m"}}), "module.m." + address,
			"", "its module is called more than once",
		},
		"a module that is the root": {
			map[string]string{"main.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "./"}}), "module.m." + address, "", "its module is called more than once",
		},
		"a module with count": {
			map[string]string{"m/s.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "./m", CountExpression: &tfjson.Expression{}}}), "module.m." + address,
			"", "its module uses count or for_each",
		},
		"a module of a registry": {
			map[string]string{"main.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "x/y/z"}}), "module.m." + address, "", "its module x/y/z is outside of the directory",
		},
		"a module above": {
			map[string]string{"main.tf": block}, calls(map[string]*tfjson.ModuleCall{"m": {Source: "../m"}}), "module.m." + address, "", "its module ../m is outside of the directory",
		},
		"an unknown module": {map[string]string{"main.tf": block}, calls(nil), "module.m." + address, "", "its module is not in the configuration"},
		"no file":           {map[string]string{".hidden.tf": block, "main.tf~": block, "b.txt": block}, nil, address, "", "no .tf file of its module declares it, and pull does not edit JSON files. Make the change yourself, or move the resource into a .tf file"},
		"count":             {map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  count = 1\n  name = \"NPS\"\n}\n"}, nil, address, "", "its block uses count or for_each, so it declares several objects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, findings, err := pull.Edit(directory(t, c.files), c.config, drifted(t, c.address))
			require.NoError(t, err)
			require.Len(t, findings, 1)
			assert.Equal(t, c.reason, findings[0].Reason)
			if c.want == "" {
				assert.Empty(t, changes)
				return
			}
			require.Len(t, changes, 1)
			assert.Equal(t, c.want, changes[0].Path)
			assert.Equal(t, c.want, findings[0].File)
			assert.Equal(t, c.files[c.want], string(changes[0].Before))
			assert.Contains(t, string(changes[0].After), `"Net"`)
		})
	}
}

// pull writes the drift of several modules to their files, in the order of the paths.
func TestDriftOfSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{"main.tf": block, "b/s.tf": block, "a/s.tf": block})
	config := calls(map[string]*tfjson.ModuleCall{"a": {Source: "./a"}, "b": {Source: "./b"}})
	changes, findings, err := pull.Edit(dir, config, drifted(t, "module.b."+address, address, "module.a."+address))
	require.NoError(t, err)
	require.Len(t, changes, 3)
	assert.Equal(t, []string{"a/s.tf", "b/s.tf", "main.tf"}, []string{changes[0].Path, changes[1].Path, changes[2].Path})
	assert.Len(t, findings, 3)
}

// pull cannot edit a module that several calls share. It still tells an edit in the configuration from one in
// PostHog.
func TestEditsInASharedModuleAreDistinguished(t *testing.T) {
	t.Parallel()
	config := calls(map[string]*tfjson.ModuleCall{"m": {Source: "./m", ForEachExpression: &tfjson.Expression{}}})
	edited := func(key, live string) *tfjson.ResourceChange {
		return &tfjson.ResourceChange{
			Address: `module.m["` + key + `"].` + address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
			Change: &tfjson.Change{Actions: update, Before: object{"name": live, "description": "one"}, After: object{"name": "NPS", "description": "two"}},
		}
	}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{edited("a", "NPS"), edited("b", "Net")}}
	drift := *plan.ResourceChanges[1]
	drift.Change = &tfjson.Change{Before: object{"name": "NPS", "description": "one"}, After: object{"name": "Net", "description": "one"}}
	plan.ResourceDrift = []*tfjson.ResourceChange{&drift}
	resources, err := pull.Resources(plan, nil, nil, func(string) bool { return true })
	require.NoError(t, err)

	changes, findings, err := pull.Edit(directory(t, map[string]string{"m/s.tf": block}), config, resources)
	require.NoError(t, err)
	assert.Empty(t, changes)
	var reports []string
	for _, f := range findings {
		reports = append(reports, fmt.Sprintf("%s %s %s: %s", f.Outcome, f.Address, f.Attribute, f.Reason))
	}
	assert.Equal(t, []string{
		`pending module.m["a"].posthog_survey.s description: changed in the configuration, and not applied yet`,
		`pending module.m["b"].posthog_survey.s description: changed in the configuration, and not applied yet`,
		`left module.m["b"].posthog_survey.s name: its module uses count or for_each`,
	}, reports)
}

// If a file in the directory cannot be parsed, pull edits no file.
func TestBrokenFilesEndThePull(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{"main.tf": block, "other.tf": "resource \"posthog_survey\" {{\n"})
	changes, _, err := pull.Edit(dir, nil, drifted(t, address))
	require.Error(t, err)
	assert.Empty(t, changes)
	text, err := os.ReadFile(filepath.Join(dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, block, string(text), "only the caller may write files")
}
