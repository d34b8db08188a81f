package acctest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordingTB is a test that records its failures.
type recordingTB struct {
	testing.TB
	errors []string
}

// Errorf implements testing.TB.
func (w *recordingTB) Errorf(format string, args ...any) {
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

// The search finds the key in every encoding, anywhere in a response, in an error, and in the log, and reports
// nothing else.
func TestTheKeyIsFound(t *testing.T) {
	t.Parallel()

	key := newKey()
	quoted, err := json.Marshal(key)
	require.NoError(t, err)

	texts := []string{
		"", "phx_Hush", "phx_" + strings.ToLower(key[4:12]),
		key, string(quoted), url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key), fmt.Sprintf("%q", key),
	}

	for shift := range 7 {
		text := []byte(strings.Repeat("x", shift) + key + "more")
		texts = append(texts, base64.StdEncoding.EncodeToString(text), base64.RawURLEncoding.EncodeToString(text))
	}

	for i, text := range texts {
		for where, resp := range map[string]*tfprotov6.ReadResourceResponse{
			"diagnostic": {Diagnostics: []*tfprotov6.Diagnostic{{Detail: "see " + text}}},
			"state":      {NewState: &tfprotov6.DynamicValue{MsgPack: []byte("\xa0" + text + "\xa0")}},
			"json":       {NewState: &tfprotov6.DynamicValue{JSON: []byte(text)}},
			"private":    {Private: []byte(`{"memory":"` + text + `"}`)},
		} {
			seen := &recordingTB{TB: t}
			newKeyGuard(seen, key, "").search(where, reflect.ValueOf(resp))

			assert.Equal(t, i > 2, len(seen.errors) > 0, "%s: %s", where, text)
		}
	}
}

func TestTheKeyIsFoundInLogsAndErrors(t *testing.T) {
	t.Parallel()
	key := newKey()
	for name, do := range map[string]func(context.Context) (any, error){
		"log": func(ctx context.Context) (any, error) {
			tflog.Trace(ctx, "sent", map[string]any{"header": key})
			return nil, nil
		},
		"error": func(context.Context) (any, error) { return nil, errors.New("no such key: " + key) },
	} {
		seen := &recordingTB{TB: t}
		g := newKeyGuard(seen, key)
		g.logs = true
		g.call(t.Context(), nil, do)
		assert.Len(t, seen.errors, 1, name)
	}
}
