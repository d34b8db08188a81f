package testserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// typeScriptOf returns the TypeScript type for the JSON of a Go type, without spaces.
func typeScriptOf(t *testing.T, value reflect.Type) string {
	t.Helper()
	switch value {
	case reflect.TypeFor[time.Time]():
		return "string"
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string]any]():
		return "Record<string,unknown>"
	}

	switch value.Kind() { //nolint:exhaustive // the types of responses have no other kinds
	case reflect.String:
		return "string"
	case reflect.Int64:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		return typeScriptOf(t, value.Elem()) + "[]"
	case reflect.Struct:
		var members []string
		for field := range value.Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if strings.Contains(options, "omitempty") {
				name += "?"
			}
			members = append(members, name+":"+typeScriptOf(t, field.Type))
		}
		return "{" + strings.Join(members, ";") + "}"
	}
	require.FailNow(t, "this Go type has no TypeScript type", value.String())
	return ""
}

// TestNPMTypesMatchResponses compares the types in the npm package with the server's responses.
func TestNPMTypesMatchResponses(t *testing.T) {
	t.Parallel()
	declared, err := os.ReadFile(filepath.Join("npm", "index.d.ts"))
	require.NoError(t, err)
	compact := regexp.MustCompile(`(?s)/\*\*.*?\*/|\s+`).ReplaceAllString(string(declared), "")
	compact = strings.ReplaceAll(compact, ";}", "}")

	for name, value := range map[string]reflect.Type{
		"Report": reflect.TypeFor[testserver.RunReport](),
		"Person": reflect.TypeFor[testserver.SurveyPerson](),
	} {
		assert.Contains(t, compact, "exportinterface"+name+typeScriptOf(t, value), name)
	}
}
