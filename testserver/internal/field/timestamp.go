package field

import (
	"encoding/json"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// LastYear is the last year that a date of the service can have.
const LastYear = 9999

// timestampForms are the layouts of a date-time that the service accepts.
var timestampForms = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02",
}

// IsTimestamp reports whether a JSON value is a date-time as the document has them.
func IsTimestamp(raw json.RawMessage) bool {
	_, ok := ParseTimestamp(rawjson.Unquote(raw))
	return rawjson.IsString(raw) && ok
}

// ParseTimestamp parses a date-time; without an offset it is UTC.
func ParseTimestamp(s string) (time.Time, bool) {
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, form := range timestampForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// TimestampText formats a time as the service does: in UTC, with microseconds unless they are 0.
func TimestampText(t time.Time) json.RawMessage {
	t = t.UTC().Truncate(time.Microsecond)
	form := `"2006-01-02T15:04:05.000000Z"`
	if t.Nanosecond() == 0 {
		form = `"2006-01-02T15:04:05Z"`
	}
	return t.AppendFormat(make([]byte, 0, len(form)), form)
}

// TimestampIn parses a field with a date; false when it has none.
func TimestampIn(f rawjson.Fields, name string) (time.Time, bool) {
	return ParseTimestamp(rawjson.Unquote(f[name]))
}
