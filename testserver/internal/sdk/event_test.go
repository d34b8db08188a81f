package sdk_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

const limit = 1 << 16

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func form(text string) string { return "data=" + url.QueryEscape(text) }

func packed(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// SDKs encode bodies in several ways. All encodings decode to the same text.
func TestUnpack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"event":"ümlaut >>>???","a":[1]}`, `[{"event":"e"}]`, `{}`, `{"text":"a=b&data=c"}`} {
		for name, body := range map[string]string{
			"plain": text, "blanks": "\n " + text + "\n", "mark": "\ufeff" + text,
			"gzip": zipped(t, text), "form": form(text), "base64": packed(text),
			"form of base64":         form(packed(text)),
			"form with unescaped":    "data=" + packed(text),
			"form with more":         "ip=1&data=" + url.QueryEscape(packed(text)) + "&compression=base64",
			"form of base64 of gzip": form(packed(zipped(t, text))),
			"base64 for addresses":   base64.RawURLEncoding.EncodeToString([]byte(text)),
		} {
			got, err := sdk.Unpack([]byte(body), limit)
			require.NoError(t, err, name)
			assert.Equal(t, text, string(got), name)
		}
	}
}

func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"not base64!", "\x1f\x8b no gzip", zipped(t, `{"a":1}`)[:15], "a=b", "data=%zz", packed(packed(packed(packed(packed("{}"))))), "\xff\xfe"} {
		_, err := sdk.Unpack([]byte(body), limit)
		require.Error(t, err, "%q", body)
	}
	for _, size := range []int{limit + 1, 200 << 20} {
		_, err := sdk.Unpack([]byte(zipped(t, strings.Repeat(" ", size))), limit)
		require.ErrorIs(t, err, sdk.ErrTooLarge)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(`{"api_key":"phc","batch":[{"event":"e","distinct_id":1,"properties":null}]}`))
	f.Add([]byte(form(packed(`[{"event":"e","properties":{"distinct_id":"d"}}]`))))
	f.Add([]byte(zipped(f, `{"event":"e","distinct_id":"d","timestamp":"2026-01-01","offset":-1,"sent_at":{}}`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := sdk.Unpack(body, limit)
		if err != nil || len(text) > limit || !json.Valid(text) {
			return
		}
		raw := wiretest.Decode(t, string(text))
		sdk.TokenInBody(raw)
		events, err := sdk.Events(raw, now)
		if err != nil {
			return
		}
		for _, e := range events {
			assert.True(t, e.Properties.IsObject())
			assert.NotEmpty(t, e.Name)
			assert.LessOrEqual(t, len([]rune(e.DistinctID)), 200)
			assert.False(t, e.At.Year() < 1970 || e.At.Year() > 2026)
		}
	})
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"api_key":"a","batch":[{"api_key":"b"}]}`: "a", `{"token":"a"}`: "a", `{"batch":[{"properties":{"token":"b"}}]}`: "b",
		`[{"properties":{"token":"c"}},{"token":"d"}]`: "c", `[]`: "", `{"token":1,"api_key":"x"}`: "x", `{"token":"","properties":[]}`: "", `{"batch":[]}`: "", `[1]`: "",
	} {
		assert.Equal(t, want, sdk.TokenInBody(wiretest.Decode(t, body)), body)
	}
	assert.Equal(t, "b", sdk.TokenInQuery(url.Values{"token": {""}, "api_key": {"b"}}))
	for token, is := range map[string]bool{"phc_a-B9": true, "": false, "a.b": false, "a\n": false, strings.Repeat("a", 200): true, strings.Repeat("a", 201): false} {
		assert.Equal(t, is, store.IsToken(token), token)
	}
}

// The device's clock may be wrong. The server uses the time since the event.
func TestTimesOfEvents(t *testing.T) {
	t.Parallel()
	for sent, ago := range map[string]time.Duration{
		`{}`:              0,
		`{"offset":1500}`: 1500 * time.Millisecond,
		`{"timestamp":"2031-05-05T10:00:00Z","sent_at":"2031-05-05T10:01:00.000Z"}`: time.Minute,
		`{"timestamp":"2026-01-02T03:04:00Z"}`:                                      5 * time.Second,
		`{"timestamp":"2026-01-02T04:04:05Z"}`:                                      -time.Hour,
		`{"timestamp":"2027-01-02T04:04:05Z"}`:                                      0,
		`{"timestamp":"0001-01-02T04:04:05Z"}`:                                      0,
		`{"timestamp":5,"offset":-3}`:                                               0,
		`{"offset":9223372036854775807}`:                                            0,
	} {
		raw := wire.MergePatch(wiretest.Decode(t, `{"event":"e","distinct_id":"d"}`), wiretest.Decode(t, sent))
		events, err := sdk.Events(raw, now)
		require.NoError(t, err, sent)
		assert.Equal(t, ago, now.Sub(events[0].At), sent)
	}

	events, err := sdk.Events(wiretest.Decode(t, `{"sent_at":"2031-01-01T00:00:10Z","batch":[{"event":"e","distinct_id":7,"timestamp":"2031-01-01T00:00:00Z"}]}`), now)
	require.NoError(t, err)
	assert.Equal(t, now.Add(-10*time.Second), events[0].At)
	assert.Equal(t, "7", events[0].DistinctID)
}

func TestEventsThatAreRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"batch":[]}`: "empty batch", `[]`: "empty batch", `{"distinct_id":"d"}`: "event name", `{"event":"e"}`: "distinct_id",
		`[{"event":"e","distinct_id":"d"},{"event":"e","properties":{"distinct_id":null}}]`: "distinct_id", `[1]`: "event name",
	} {
		_, err := sdk.Events(wiretest.Decode(t, body), now)
		require.ErrorContains(t, err, want, body)
	}
}
