package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// latencies are the latencies of the service, in milliseconds.
var latencies = []int{0, 50, 150}

// modes are the ways to read, ours first.
var modes = [2]string{"auto", "single"}

// wallTime measures the duration of a plan of 200 surveys, with lists and with one request
// for each survey, with a service that is near or far.
func wallTime(ctx context.Context, g *runner) (rows []row, err error) {
	const n = 200

	f, err := g.newFixture(ctx, n, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.stop()) }()

	var workspaces [2]*workspace
	for i, mode := range modes {
		if workspaces[i], err = f.workspace(ctx, ours, "POSTHOG_READ_MODE="+mode); err != nil {
			return nil, err
		}
	}

	for _, latency := range latencies {
		if err := f.srv.control(ctx, http.MethodPut, "faults", fmt.Sprintf(`{"rules":[{"delay_ms":%d}]}`, latency), nil); err != nil {
			return nil, err
		}

		var times [2][]float64
		for range g.rounds {
			for i, e := range workspaces {
				elapsed, err := e.plan(ctx, false)
				if err != nil {
					return nil, err
				}
				times[i] = append(times[i], elapsed.Seconds())
			}
		}

		rows = append(rows, compared(fmt.Sprintf("time of a plan, %d surveys, answers after %d ms", n, latency),
			samples{"", times[0], seconds}, samples{"read_mode " + modes[1], times[1], seconds}, bar{}))
	}
	return rows, nil
}
