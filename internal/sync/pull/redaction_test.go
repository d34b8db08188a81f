package pull_test

import (
	"archive/zip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// If the plan marks an argument as sensitive, completely or in part, no finding contains its value. pull still writes
// the value to its file.
func TestSensitiveValuesAreInNoFinding(t *testing.T) {
	t.Parallel()
	for name, marks := range map[string][2]any{
		"code":       {object{"description": true}, nil},
		"state":      {nil, object{"description": true}},
		"everything": {true, nil},
		"a part":     {object{"description": []any{false, object{"x": true}}}, nil},
		"none":       {object{"name": true}, object{"description": false}},
	} {
		change := &tfjson.ResourceChange{
			Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
			Change: &tfjson.Change{
				Actions: update, Before: object{"description": "live secret"}, After: object{"description": "code secret"},
				AfterSensitive: marks[0], BeforeSensitive: marks[1],
			},
		}
		drift := *change
		drift.Change = &tfjson.Change{Before: object{"description": "code secret"}, After: change.Change.Before}
		plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}
		resources, err := pull.Resources(plan, nil, nil, func(string) bool { return true })
		require.NoError(t, err)

		dir := directory(t, map[string]string{"main.tf": "resource \"posthog_survey\" \"s\" {\n  description = \"code secret\"\n}\n"})
		changes, findings, err := pull.Edit(dir, nil, resources)
		require.NoError(t, err)
		require.Len(t, findings, 1, name)
		require.Len(t, changes, 1, name)
		assert.Contains(t, string(changes[0].After), "live secret", name)
		isShown := name == "none"
		assert.Equal(t, isShown, fmt.Sprint(findings[0].Live) == "live secret", name)
		assert.Equal(t, isShown, fmt.Sprint(findings[0].Code) == "code secret", name)
	}
}

// A second pull changes nothing, because the configuration already equals PostHog.
func TestPullIsDoneOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		value := func(label string) object {
			values := object{}
			for _, name := range []string{"name", "description", "type", "responses_limit"} {
				switch rapid.IntRange(0, 3).Draw(rt, label+" "+name) {
				case 0:
				case 1:
					values[name] = "a"
				default:
					values[name] = rapid.StringMatching(`[a-z"\\${}%\n ]{1,8}`).Draw(rt, label+" text")
				}
				if name == "responses_limit" && values[name] != nil {
					values[name] = float64(rapid.IntRange(1, 9).Draw(rt, label+" number"))
				}
			}
			return values
		}
		live, code := value("live"), value("code")
		before, _ := edit(t, "main.tf", "resource \"posthog_survey\" \"s\" {\n}\n",
			change{address: address, applied: object{}, live: code, planned: object{}, actions: update})
		after, _ := edit(t, "main.tf", before, change{address: address, applied: code, live: live, planned: code, actions: update})
		again, findings := edit(t, "main.tf", after, change{address: address, applied: live, live: live, planned: live, actions: noOp})
		require.Equal(rt, after, again)
		require.Empty(rt, findings)
	})
}

// Private states are found by each instance's address. Unreadable private state counts as unknown, and does not cause
// an error.
func TestPrivateStates(t *testing.T) {
	t.Parallel()
	private := base64.StdEncoding.EncodeToString([]byte(`{"memory": "YWJj"}`))
	state := fmt.Sprintf(`{"resources": [
	  {"type": "posthog_survey", "name": "s", "instances": [{"private": %q}, {"private": %q, "deposed": "x"}]},
	  {"module": "module.m[0]", "type": "posthog_survey", "name": "t", "instances": [{"index_key": "a\"b", "private": %q}, {"index_key": 1, "private": %q}, {"index_key": 2, "private": "?"}]}
	]}`, private, private, private, private)
	write := func(name, entry, text string) string {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		require.NoError(t, err)
		archive := zip.NewWriter(file)
		w, err := archive.Create(entry)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, archive.Close())
		require.NoError(t, file.Close())
		return path
	}

	memory := map[string][]byte{"memory": []byte("abc")}
	assert.Equal(t, map[string]map[string][]byte{
		"posthog_survey.s": memory, `module.m[0].posthog_survey.t["a\"b"]`: memory, "module.m[0].posthog_survey.t[1]": memory,
	}, pull.PrivateStates(write("plan", "tfstate", state)))
	for _, path := range []string{write("plan", "other", state), write("plan", "tfstate", "{"), filepath.Join(t.TempDir(), "none")} {
		assert.Nil(t, pull.PrivateStates(path))
	}
}
