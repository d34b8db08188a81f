package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
)

// requirementsOf writes features in the form of the service's table.
func requirementsOf(features []sdkversion.Feature) string {
	var b strings.Builder
	b.WriteString("import { Survey } from '~/types'\n\nexport type Requirement = { feature: string }\n\n/** feature: 'none', in a comment */\nexport const ALL: Requirement[] = [\n")
	for _, feature := range features {
		for _, name := range feature.Upstream {
			fmt.Fprintf(&b, "    {\n        feature: '%s',\n        sdkVersions: {\n", name)
			var none []string
			for _, sdk := range sdkversion.SDKs() {
				switch since := feature.In(sdk); since {
				case sdkversion.Never:
					none = append(none, fmt.Sprintf("            { sdk: '%s', issue: false }, // never", sdk))
				case sdkversion.NotYet:
					none = append(none, fmt.Sprintf("            { sdk: '%s', issue: 'https://example.com/issues/1' },", sdk))
				default:
					fmt.Fprintf(&b, "            '%s': '%s', // feature: 'none'\n", sdk, since)
				}
			}
			fmt.Fprintf(&b, "        },\n        unsupportedSdks: [\n%s\n        ],\n        check: (s) => s.values?.some((v) => v['a'] === `x`),\n    },\n", strings.Join(none, "\n"))
		}
	}
	return b.String() + "]\n"
}

func watched(t *testing.T, text string) (code int, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "requirements.ts")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	var b bytes.Buffer
	code, err := run(file, &b)
	require.NoError(t, err)
	return code, b.String()
}

// A table of the service that says the same differs in nothing.
func TestTablesThatAgree(t *testing.T) {
	t.Parallel()
	code, out := watched(t, requirementsOf(sdkversion.Features()))
	assert.Equal(t, 0, code, out)
	assert.Regexp(t, `^\d+ features in the service's table, 0 differences\.\n$`, out)
}

// Each way in which the tables may differ is a line.
func TestTablesThatDiffer(t *testing.T) {
	t.Parallel()
	differences := compare([]sdkversion.Feature{
		{Setting: "a", Upstream: []string{"A", "A too"}, Since: [5]string{"1.0.0", "2.0.0", "-", "no", "5.0.0"}},
		{Setting: "b", Upstream: []string{"Gone"}},
	}, mustParse(t, `[
		{ feature: "A", sdkVersions: { 'posthog-js': '1.0.1', posthog_flutter: '5.0.0', 'posthog-unity': '1.0.0' },
		  unsupportedSdks: [{ sdk: 'posthog-ios', issue: false }, { sdk: 'posthog-android', issue: 'https://example.com' }] },
		{ feature: 'A too', sdkVersions: { 'posthog-js': '1.0.0', 'posthog-react-native': '2.0.0', 'posthog_flutter': '5.0.0' }, unsupportedSdks: ['posthog-ios', 'posthog-android'] },
		{ feature: 'New', sdkVersions: {} },
	]`))
	assert.Equal(t, []string{
		"A: posthog-js: here 1.0.0, in the service's table 1.0.1",
		"A: posthog-react-native: here 2.0.0, in the service's table nothing",
		"A: posthog-ios: here -, in the service's table no",
		"A: posthog-android: here no, in the service's table -",
		"A: posthog-unity: an SDK that the table here does not have",
		"A too: posthog-android: here no, in the service's table -",
		"New: the table here has no such feature",
		"Gone: the service's table has no such feature",
	}, differences)

	code, out := watched(t, "[{ feature: 'New', sdkVersions: {} }]")
	assert.Equal(t, 2, code)
	assert.Contains(t, out, "New: the table here has no such feature\n")
}

func mustParse(t *testing.T, text string) []requirement {
	t.Helper()
	requirements, err := parse(text)
	require.NoError(t, err)
	return requirements
}

// A file that is not the table is an error, and no agreement.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "export type A = { feature: string }", "[{ feature: 'A', check: (s) => true }]"} {
		_, err := parse(text)
		assert.Error(t, err, text)
	}
	for _, file := range []string{"", filepath.Join(t.TempDir(), "none.ts")} {
		code, err := run(file, &bytes.Buffer{})
		assert.Error(t, err)
		assert.Equal(t, 1, code)
	}
}
