package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// appConnections is the number of apps that ask at the same time.
	appConnections = 150
	// runningSurveys is how many surveys the project shows, each with targeting of its own.
	runningSurveys = 100
)

// deliveries are what SDKs ask for.
var deliveries = []operation{
	{
		load: load{"feed", 6000, func(i int) (method, path, body string) {
			return http.MethodGet, fmt.Sprintf("/api/surveys/?token=phc_test&_=%d", i), ""
		}},
		pattern: "GET /api/surveys/{$}",
	},
	{
		load: load{"flags", 6000, func(i int) (method, path, body string) {
			return http.MethodPost, "/flags/?v=2", fmt.Sprintf(`{"token":"phc_test","distinct_id":"person %d","person_properties":`+
				`{"plan":"pro","age":%d,"email":"somebody@example.com","$browser":"Chrome"},"groups":{}}`, i, 20+i%40)
		}},
		pattern: "POST /flags/{$}",
	},
}

// deliveryToApps measures how many apps the test server can serve, and how fast.
func deliveryToApps(ctx context.Context, g *runner) (rows []row, err error) {
	r := &servers{urls: map[string]string{}}
	defer func() { err = errors.Join(err, r.stop()) }()
	if err := r.startDelivering(ctx, g); err != nil {
		return nil, err
	}
	if err := r.startStaticOf(ctx, g, deliveries); err != nil {
		return nil, err
	}

	for _, o := range deliveries {
		measured := map[string]*appTimes{testServer: {}, staticServer: {}}
		for range g.rounds {
			for _, name := range []string{testServer, staticServer} {
				if err := measured[name].measure(ctx, r.urls[name], o.load); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", name, o.name, err)
				}
			}
		}
		rows = append(rows, appRows(o.name, measured[testServer], measured[staticServer])...)
	}
	return rows, nil
}

// startDelivering runs the test server with surveys that run.
func (r *servers) startDelivering(ctx context.Context, g *runner) error {
	surveys := make([]any, runningSurveys)
	for i := range surveys {
		surveys[i] = wireSurvey(map[string]any{
			"project_id": "1", "id": surveyID(i), "name": fmt.Sprintf("Running %d", i), "start_date": "2026-01-01T00:00:00Z", "end_date": nil,
			"targeting_flag": map[string]any{"id": i + 1, "key": fmt.Sprintf("survey-targeting-%d", i), "active": true, "filters": map[string]any{
				"groups": []any{map[string]any{"rollout_percentage": 50, "properties": []any{
					map[string]any{"key": "plan", "type": "person", "operator": "exact", "value": []string{"pro", "team"}},
					map[string]any{"key": "age", "type": "person", "operator": "gt", "value": fmt.Sprint(i % 50)},
				}}},
			}},
		})
	}
	fixtures, err := g.writeFixtures("delivery", surveys)
	if err != nil {
		return err
	}

	p, err := start(ctx, g.server, "-listen", "127.0.0.1:0", "-profile", "hosted", "-fixtures", fixtures)
	if err != nil {
		return err
	}
	r.processes = append(r.processes, p)
	r.urls[testServer], err = p.url()
	return err
}

// appTimes are the measurements of one server, one for each round.
type appTimes struct{ rates, halves, slowest []float64 }

// measure sends one round of requests, after a tenth of it that is not counted.
func (a *appTimes) measure(ctx context.Context, url string, l load) error {
	warm := l
	warm.count /= 10
	if _, _, err := warm.timed(ctx, url, 0, appConnections); err != nil {
		return err
	}

	rate, times, err := l.timed(ctx, url, 0, appConnections)
	if err != nil {
		return err
	}
	a.rates = append(a.rates, rate)
	a.halves = append(a.halves, within(times, 50).Seconds())
	a.slowest = append(a.slowest, within(times, 99).Seconds())
	return nil
}

// within is the time within which a share of the responses, in percent, has arrived.
func within(times []time.Duration, percent int) time.Duration {
	return times[(len(times)-1)*percent/100]
}

// appRows compare two servers.
func appRows(name string, ours, static *appTimes) []row {
	what := fmt.Sprintf("%s, %d running surveys, %d connections", name, runningSurveys, appConnections)
	return []row{
		compared(what, samples{"", ours.rates, perSecond}, samples{staticServer, static.rates, perSecond}, bar{}),
		compared(what+", p50", samples{"", ours.halves, milliseconds}, samples{staticServer, static.halves, milliseconds}, bar{}),
		compared(what+", p99", samples{"", ours.slowest, milliseconds}, samples{staticServer, static.slowest, milliseconds}, bar{}),
	}
}
