package testserver

import (
	"encoding/json"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// momentForms are the layouts of a date-time that the service accepts.
var momentForms = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02",
}

func checkMoment(attr string, raw json.RawMessage) *failure {
	if raw[0] == '"' {
		if _, ok := parseMoment(rawjson.Unquote(raw)); ok {
			return nil
		}
	}
	return badMoment(attr)
}

func badMoment(attr string) *failure {
	return invalid("invalid_input", attr, "Datetime has wrong format. "+
		"Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].")
}

// parseMoment parses a date-time; without an offset it is UTC.
func parseMoment(s string) (time.Time, bool) {
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, form := range momentForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// momentText formats a time as the service does: in UTC, with microseconds unless they are 0.
func momentText(t time.Time) json.RawMessage {
	t = t.UTC().Truncate(time.Microsecond)
	form := `"2006-01-02T15:04:05.000000Z"`
	if t.Nanosecond() == 0 {
		form = `"2006-01-02T15:04:05Z"`
	}
	return t.AppendFormat(make([]byte, 0, len(form)), form)
}

// momentIn parses a field with a date; false when it has none.
func momentIn(f rawjson.Fields, name string) (time.Time, bool) {
	return parseMoment(rawjson.Unquote(f[name]))
}
