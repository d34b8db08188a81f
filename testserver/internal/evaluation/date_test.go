package evaluation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDates(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"is_date_before", `"2025-01-01"`, `"2024-12-31T23:59:59Z"`, "yes"},
		{"is_date_before", `"2025-01-01"`, `"2025-01-01"`, "no"},
		{"is_date_exact", `"2025-01-01"`, `"2025-01-01 00:00"`, "yes"},
		{"is_date_exact", `"2024-12-31T23:00:00-01:00"`, `1735689600`, "yes"},
		{"is_date_exact", `"2025-01-01"`, `"1735689600"`, "yes"},
		{"is_date_exact", `"2025-01-01T00:00:00.5"`, `1735689600.5`, "yes"},
		{"is_date_exact", `"2028-03-10T05:09:07.867530107Z"`, `1836277747.86753`, "yes"},
		{"is_date_exact", `"2025-01-01"`, `1735689600.0`, "yes"},
		{"is_date_after", `"30d"`, `"2024-12-10"`, "yes"},
		{"is_date_after", `"-30d"`, `"2024-12-01"`, "no"},
		{"is_date_before", `"24h"`, `"2024-12-30T12:00:00Z"`, "yes"},
		{"is_date_before", `"1w"`, `"2024-12-26"`, "no"},
		{"is_date_before", `"7d"`, `"8d"`, "yes"},
		{"is_date_before", `"1m"`, `"2024-11-30"`, "yes"},
		{"is_date_before", `"1y"`, `"2023-12-31"`, "yes"},
		{"is_date_before", `"9999y"`, `"2023-12-31"`, "no"},
		{"is_date_after", `"9999d"`, `"2023-12-31"`, "yes"},
		{"is_date_after", `"10000d"`, `"2023-12-31"`, "no"},
		{"is_date_after", `"March 5, 2024 6:15 PM"`, `"2024-03-05T18:14:59Z"`, "no"},
		{"is_date_after", `"March 5, 2024 6:15 PM"`, `"2024-03-05T18:15:01Z"`, "yes"},
		{"is_date_exact", `"Tue, 05 Mar 2024 18:15:00 GMT"`, `"2024-03-05T18:15:00Z"`, "yes"},
		{"is_date_exact", `"03/05/2024"`, `"2024-03-05"`, "yes"},
		{"is_date_exact", `"5 mar 2024"`, `"2024/3/5"`, "yes"},
		{"is_date_exact", `"1735689600000"`, `"2025-01-01"`, "yes"},
		{"is_date_after", `"yesterday"`, `"2025-01-01"`, "no"},
		{"is_date_after", `"2024-01-01"`, `"soon"`, "no"},
		{"is_date_after", `"2024-01-01"`, `true`, "no"},
		{"is_date_after", `"2024-01-01"`, `null`, "no"},
		{"is_date_after", `20240101`, `"2025-01-01"`, "no"},
		{"is_date_after", `"2024-01-01"`, `1e300`, "no"},
		{"is_date_after", `"2024-02-30"`, `"2025-01-01"`, "no"},
		{"is_date_before", `"30d"`, absent, "no"},
		{"is_date_exact", `"0001-01-01"`, `"0001-01-01"`, "yes"},
	})
}

// Months and years go back one by one, each to a day that it has.
func TestRelativeDates(t *testing.T) {
	t.Parallel()
	now := clock{time.Date(2024, 5, 31, 12, 30, 0, 5, time.UTC), time.UTC}
	for text, want := range map[string]string{
		"3h": "2024-05-31T09:30:00", "1d": "2024-05-30T12:30:00", "-2w": "2024-05-17T12:30:00",
		"1m": "2024-04-30T12:30:00", "2m": "2024-03-30T12:30:00", "3m": "2024-02-29T12:30:00", "0d": "2024-05-31T12:30:00",
	} {
		got, ok := now.parse(text)
		require.True(t, ok, text)
		require.Equal(t, want+".000000005Z", got.UTC().Format(time.RFC3339Nano), text)
	}

	leap := clock{time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), time.UTC}
	got, ok := leap.parse("4y")
	require.True(t, ok)
	require.Equal(t, "2020-02-28", got.Format(time.DateOnly))
}

// Days begin where the project is; a time that comes twice is the first one, and one that
// the clocks skip never comes.
func TestDatesOfALocation(t *testing.T) {
	t.Parallel()
	newYork, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	now := clock{time.Date(2025, 3, 10, 3, 0, 0, 0, time.UTC), newYork}

	for text, want := range map[string]string{
		"2025-01-01":           "2025-01-01T05:00:00Z",
		"2025-07-01 12:00":     "2025-07-01T16:00:00Z",
		"2024-11-03 01:30":     "2024-11-03T05:30:00Z",
		"2025-07-01T12:00:00Z": "2025-07-01T12:00:00Z",
		"1d":                   "2025-03-09T04:00:00Z",
	} {
		got, ok := now.parse(text)
		require.True(t, ok, text)
		require.Equal(t, want, got.UTC().Format(time.RFC3339), text)
	}
	_, ok := now.parse("2025-03-09 02:30")
	require.False(t, ok)
}

// A date in one of the less usual forms has the time of day at which it is read, and a
// time alone the day.
func TestWrittenDatesArePartlyNow(t *testing.T) {
	t.Parallel()
	now := clock{time.Date(2024, 5, 31, 12, 30, 15, 0, time.UTC), time.UTC}
	for text, want := range map[string]string{
		"May 25, 2021": "2021-05-25T12:30:15Z", "2021-May-25": "2021-05-25T12:30:15Z", "25.5.2021": "",
		"6:15pm": "2024-05-31T18:15:00Z", "18:15:07": "2024-05-31T18:15:07Z",
		"1511648546": "2017-11-25T22:22:26Z", "1620024872717915000": "2021-05-03T06:54:32Z",
	} {
		got, ok := now.parse(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, got.UTC().Format(time.RFC3339), text)
		}
	}
}
