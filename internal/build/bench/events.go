package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"
)

// The numbers of events that apps send while the memory of the test server is measured, of those
// in a request, and of the persons who make them. The first number of events is about what the
// server keeps.
const (
	someEvents     = 200_000
	manyEvents     = 1_000_000
	eventsPerBatch = 1000
	eventPersons   = 10_000
)

// eventMemory measures the memory that the test server takes when apps send events without end,
// and how many it takes in a second.
func eventMemory(ctx context.Context, g *runner) ([]row, error) {
	peaks := map[int]float64{}
	var elapsed time.Duration
	for _, n := range []int{someEvents, manyEvents} {
		took, peak, err := g.sendEvents(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("%d events: %w", n, err)
		}
		peaks[n], elapsed = float64(peak), took
	}
	const what = "peak memory after 1,000,000 events of surveys"
	return []row{
		compared(what, samples{"", []float64{peaks[manyEvents]}, megabytes}, samples{"after 200,000", []float64{peaks[someEvents]}, megabytes}, bar{atMost: 1.5}),
		{What: "events of surveys in batches of 1,000, packed", Ours: perSecond(manyEvents / elapsed.Seconds())},
	}, nil
}

// sendEvents sends n events to a test server, and returns how long that took, and the most memory
// that the server had.
func (g *runner) sendEvents(ctx context.Context, n int) (elapsed time.Duration, peak int64, err error) {
	used := filepath.Join(g.dir, "measured-events")
	survey := wireSurvey(map[string]any{"project_id": "1", "id": surveyID(0), "name": "Asked", "start_date": "2026-01-01T00:00:00Z"})
	fixtures, err := g.writeFixtures("events", []any{survey})
	if err != nil {
		return 0, 0, err
	}
	server, err := start(ctx, g.self, "meter", used, g.server, "-listen", "127.0.0.1:0", "-profile", "hosted", "-fixtures", fixtures)
	if err != nil {
		return 0, 0, err
	}

	elapsed, err = sendBatches(ctx, server, n)
	// The meter fails, since it is interrupted; what counts is that it has measured.
	_ = server.stop()
	if err != nil {
		return 0, 0, err
	}
	measured, err := readOneUsage(used)
	return elapsed, measured.Peak, err
}

// sendBatches sends the events, and makes sure that all of them count.
func sendBatches(ctx context.Context, server *process, n int) (time.Duration, error) {
	url, err := server.url()
	if err != nil {
		return 0, err
	}
	go func() { _, _ = io.Copy(io.Discard, linesOf{server}) }()

	begin := time.Now()
	for first := 0; first < n; first += eventsPerBatch {
		if err := sendBatch(ctx, url, first); err != nil {
			return 0, err
		}
	}
	elapsed := time.Since(begin)

	var counts map[string]int
	status, body, err := ask(ctx, http.MethodGet, url+surveysPath+"responses_count/", "")
	if err == nil {
		err = json.Unmarshal(body, &counts)
	}
	if err == nil && counts[surveyID(0)] != n/2 {
		err = fmt.Errorf("status %d: the test server counts %d responses of %d", status, counts[surveyID(0)], n/2)
	}
	return elapsed, err
}

// sendBatch sends a request with events, packed as SDKs do.
func sendBatch(ctx context.Context, url string, first int) error {
	var body bytes.Buffer
	packed := gzip.NewWriter(&body)
	_, err := io.WriteString(packed, batchOf(first))
	if err = errors.Join(err, packed.Close()); err != nil {
		return err
	}
	status, answer, err := ask(ctx, http.MethodPost, url+"/batch/", body.String())
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the test server answered %d: %s", status, answer)
	}
	return err
}

// batchOf is a batch of events: each second one is a response, the others say that the survey was
// shown.
func batchOf(first int) string {
	events := make([]string, eventsPerBatch)
	for i := range events {
		number := first + i
		name, answer := "survey shown", ""
		if number%2 == 1 {
			name, answer = "survey sent", fmt.Sprintf(`,"$survey_submission_id":"s%d","$survey_response_q":"Answer number %d, in a sentence or two."`, number, number)
		}
		events[i] = fmt.Sprintf(`{"uuid":"019b0000-0000-7000-8000-%012d","event":%q,"distinct_id":"p%d","properties":{"$survey_id":%q,"$survey_name":"Asked",`+
			`"$browser":"Chrome","$browser_version":140,"$os":"Linux","$current_url":"https://app.example/pages/%d","$lib":"web","$lib_version":"1.449.2",`+
			`"$screen_height":1080,"$screen_width":1920,"$session_id":"019b0000-0000-7000-9000-%012d","$set":{"plan":"pro"}%s}}`,
			number, name, number/2%eventPersons, surveyID(0), number%97, number/2, answer)
	}
	return `{"api_key":"phc_test","batch":[` + strings.Join(events, ",") + `]}`
}

// linesOf reads what a server prints, so that it never waits for a reader.
type linesOf struct{ *process }

// Read implements [io.Reader].
func (l linesOf) Read(p []byte) (int, error) {
	if !l.lines.Scan() {
		return 0, io.EOF
	}
	return copy(p, l.lines.Text()), nil
}
