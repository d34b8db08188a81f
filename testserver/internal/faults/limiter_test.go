package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
)

func TestLimiterCountsInAnyStretch(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := faults.NewLimiter(faults.Rate{Requests: 2, Per: time.Minute})

	assert.Zero(t, l.Wait(start))
	assert.Zero(t, l.Wait(start.Add(40*time.Second)))
	assert.Equal(t, 10*time.Second, l.Wait(start.Add(50*time.Second)))

	assert.Zero(t, l.Wait(start.Add(time.Minute)), "the first request no longer counts")
	assert.Equal(t, 40*time.Second, l.Wait(start.Add(time.Minute)), "the second one still counts")
}

func TestByKeyCountsEachKeyAgainstEachRate(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b := faults.NewByKey(faults.Rate{Requests: 1, Per: time.Minute}, faults.Rate{Requests: 2, Per: time.Hour})

	assert.Zero(t, b.Wait("one", start))
	assert.Zero(t, b.Wait("two", start))
	assert.Equal(t, time.Minute, b.Wait("one", start))

	// The second request exceeded the limit per minute, but it still counts for the limit per hour.
	assert.Equal(t, 59*time.Minute, b.Wait("one", start.Add(time.Minute)))
	assert.Zero(t, b.Wait("two", start.Add(time.Minute)))
}
