package python

import "time"

// TimeText is a time as str() writes it, in UTC.
func TimeText(t time.Time, separator string) string {
	t = t.UTC().Truncate(time.Microsecond)
	form := "2006-01-02" + separator + "15:04:05"
	if t.Nanosecond() != 0 {
		form += ".000000"
	}
	return t.Format(form) + "+00:00"
}
