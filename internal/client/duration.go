package client

import (
	"fmt"
	"strings"
	"time"
)

// FormatDuration writes a duration as people do: 30m where Go writes 30m0s.
func FormatDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if short, ok := strings.CutSuffix(text, zero); ok {
			text = short + zero[:1]
		}
	}
	return text
}

// roundDuration writes a duration no more exactly than a reader needs it.
func roundDuration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 3*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Second:
		return FormatDuration(d.Round(time.Second))
	}
	return d.Round(time.Millisecond).String()
}
