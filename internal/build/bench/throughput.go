package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// storedSurveys is how many surveys the test server holds while it is measured.
const storedSurveys = 1000

const surveysPath = "/api/projects/1/surveys/"

// operation is a kind of request that servers are measured with: how many of them,
// which requests the standard library answers with recorded bytes, and the bars
// against it and against Prism.
type operation struct {
	load
	pattern       string
	slow          int // how many are sent to Prism
	static, prism bar
}

var operations = []operation{
	{
		load: load{"retrieve", 20_000, func(i int) (method, path, body string) {
			return http.MethodGet, surveysPath + surveyID(i%storedSurveys) + "/", ""
		}},
		pattern: "GET " + surveysPath + "{id}/", slow: 1000, static: bar{atLeast: 0.5}, prism: bar{atLeast: 10},
	},
	{
		load: load{"list a page of 100", 2000, func(int) (method, path, body string) {
			return http.MethodGet, surveysPath + "?limit=100", ""
		}},
		pattern: "GET " + surveysPath + "{$}", slow: 1000,
	},
	{
		load: load{"create", 5000, func(i int) (method, path, body string) {
			return http.MethodPost, surveysPath, text(wireSurvey(map[string]any{"name": fmt.Sprintf("Created %d", i)}))
		}},
		pattern: "POST " + surveysPath + "{$}", slow: 500, prism: bar{atLeast: 10},
	},
}

// servers are the servers that are measured alternately.
type servers struct {
	others    []string // the names of those that the test server is compared with
	urls      map[string]string
	processes []*process
	noPrism   error // why Prism is not among them
	sent      int   // requests so far: no two surveys that are created may have one name
}

const (
	testServer   = "posthog-testserver"
	otherBuild   = "the other build"
	staticServer = "the same bytes from memory"
	prism        = "Prism"
)

// throughput measures how many requests the test server answers in a second, over
// the loopback interface, against the standard library, which is the limit, and
// against Prism, which generates its responses from the same contract.
func throughput(ctx context.Context, g *runner) (rows []row, err error) {
	r := &servers{urls: map[string]string{}}
	defer func() { err = errors.Join(err, r.stop()) }()

	if err := r.start(ctx, g); err != nil {
		return nil, err
	}

	for _, o := range operations {
		rates := map[string][]float64{}
		for range g.rounds {
			for _, name := range append([]string{testServer}, r.others...) {
				if err := r.measure(ctx, name, o, rates); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", name, o.name, err)
				}
			}
		}

		us := samples{"", rates[testServer], perSecond}
		for _, name := range r.others {
			rows = append(rows, r.compared(o, us, samples{name, rates[name], perSecond}))
		}
	}
	return rows, nil
}

// compared is the row that compares the test server with another one.
func (r *servers) compared(o operation, us, other samples) row {
	what := fmt.Sprintf("%s, %d connections", o.name, connections)
	if other.name == prism && r.noPrism != nil {
		return row{What: what, Ours: us.show(median(us.values)), Against: "not measured, " + r.noPrism.Error(), Bar: o.prism.String(), NotMeasured: true}
	}
	return compared(what, us, other, map[string]bar{staticServer: o.static, prism: o.prism}[other.name])
}

// measure sends one round of an operation to one of the servers, after a tenth of
// it that is not counted.
func (r *servers) measure(ctx context.Context, name string, o operation, rates map[string][]float64) error {
	url, runs := r.urls[name]
	if !runs {
		return nil
	}

	if name == prism {
		o.count = o.slow
	}

	warm := o.load
	warm.count /= 10
	if _, err := warm.on(ctx, url, r.sent); err != nil {
		return err
	}
	r.sent += warm.count

	rate, err := o.on(ctx, url, r.sent)
	if err != nil {
		return err
	}
	r.sent += o.count
	rates[name] = append(rates[name], rate)
	return nil
}

// start runs the servers: the test server, and what it is compared with.
func (r *servers) start(ctx context.Context, g *runner) error {
	if err := r.startBuild(ctx, g, testServer, g.server); err != nil {
		return err
	}
	if g.against != "" {
		r.others = []string{otherBuild}
		return r.startBuild(ctx, g, otherBuild, g.against)
	}

	r.others = []string{staticServer, prism}
	if err := r.startStatic(ctx, g); err != nil {
		return err
	}
	return r.startPrism(ctx, g)
}

// startBuild runs a build of the test server.
func (r *servers) startBuild(ctx context.Context, g *runner, name, program string) error {
	srv, err := g.startService(ctx, program, storedSurveys)
	if err != nil {
		return err
	}
	r.processes, r.urls[name] = append(r.processes, srv.process), srv.url
	return nil
}

// startStatic runs the standard library with the responses of the test server.
func (r *servers) startStatic(ctx context.Context, g *runner) error {
	if err := r.startStaticOf(ctx, g, operations); err != nil {
		return err
	}
	r.sent = 1
	return nil
}

// startStaticOf runs the standard library with the responses of the test server to some
// operations.
func (r *servers) startStaticOf(ctx context.Context, g *runner, all []operation) error {
	var answers []staticResponse
	for _, o := range all {
		answer, err := fetchResponse(ctx, r.urls[testServer], o.pattern, o.load)
		if err != nil {
			return err
		}
		answers = append(answers, answer)
	}

	file := filepath.Join(g.dir, "static.json")
	if err := os.WriteFile(file, []byte(text(answers)), 0o600); err != nil {
		return err
	}

	p, err := start(ctx, g.self, "static", file)
	if err != nil {
		return err
	}

	r.processes = append(r.processes, p)
	r.urls[staticServer], err = p.url()
	return err
}

func (r *servers) startPrism(ctx context.Context, g *runner) error {
	p, url, err := g.startPrism(ctx)
	if errors.Is(err, errNoNPM) {
		r.noPrism = err
		return nil
	}
	if err != nil {
		return err
	}
	r.processes, r.urls[prism] = append(r.processes, p), url
	return nil
}

func (r *servers) stop() error {
	var err error
	for _, p := range r.processes {
		err = errors.Join(err, p.stop())
	}
	return err
}
