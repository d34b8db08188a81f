// Command compare sends requests to PostHog and to the test server with the hosted profile, and prints where the
// status, the body, or a later read differ. A difference is a bug in the test server or a change in PostHog. The
// command sends the same requests as the test server's tests, from testserver/testdata/service.
//
// It creates surveys in the project from the environment variables, and deletes them.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// notCovered describes behavior that the requests do not test.
const notCovered = `Not covered: who is offered a survey, and the answers, counts and activity that follow;
feature flags, cohorts, insights and actions that surveys name; import apps; lists, their pages and filters;
keys without a scope, roles, approvals and features that a plan has or lacks; rate limits, and two writers at a time.`

// pace keeps the number of requests below half of PostHog's limits per minute (480) and per hour (4,800).
const pace = 300 * time.Millisecond

func main() {
	service := flag.String("service", "", "`URL` of PostHog; POSTHOG_API_KEY and POSTHOG_PROJECT_ID select the key and the project")
	running := flag.Bool("running", false, "continue even if the project has running surveys")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	t := &target{client: http.DefaultClient, url: strings.TrimSuffix(*service, "/"), key: os.Getenv("POSTHOG_API_KEY"), project: os.Getenv("POSTHOG_PROJECT_ID"), pace: pace}
	c := comparison{service: t, folder: "testserver/testdata/service", in: os.Stdin, out: os.Stdout, running: *running}
	differences, err := c.run(ctx)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	case differences > 0:
		os.Exit(2)
	}
}

// comparison is a run of the command.
type comparison struct {
	service *target
	folder  string // the directory with the requests
	in      io.Reader
	out     io.Writer
	running bool
}

// run sends all requests to both targets, and returns the number of requests with differences.
func (c comparison) run(ctx context.Context) (differences int, err error) {
	if c.service.url == "" || c.service.key == "" || c.service.project == "" {
		return 0, errors.New("set -service, POSTHOG_API_KEY, and POSTHOG_PROJECT_ID")
	}
	steps, err := readSteps(c.folder)
	if err != nil {
		return 0, err
	}
	if err := c.consent(ctx, len(steps)); err != nil {
		return 0, err
	}

	server, err := testserver.New(testserver.Options{Profile: testserver.Hosted})
	if err != nil {
		return 0, err
	}
	reference := &target{client: &http.Client{Transport: inProcess{server}}, url: "http://127.0.0.1", key: "phx_test", project: "1"}
	prefix := fmt.Sprintf("compare-%d", time.Now().Unix())
	for _, t := range []*target{c.service, reference} {
		t.prefix, t.surveys, t.ids = prefix, map[string]string{}, map[string]map[string]string{}
	}
	defer func() { err = errors.Join(err, c.service.deleteAll(context.WithoutCancel(ctx))) }()

	for _, s := range steps {
		theirs, err := c.service.play(ctx, s)
		if err != nil {
			return differences, err
		}
		ours, err := reference.play(ctx, s)
		if err != nil {
			return differences, err
		}
		if lines := s.differences(theirs, ours); len(lines) > 0 {
			differences++
			c.say("%s (%s %s)\n  %s\n", s.Name, s.Method, s.Survey+s.Path, strings.Join(lines, "\n  "))
		}
	}
	c.say("%d of %d steps differ.\n%s\n", differences, len(steps), notCovered)
	return differences, nil
}

// consent returns an error if the project has running surveys. Otherwise, it asks the user whether to begin.
func (c comparison) consent(ctx context.Context, steps int) error {
	running, err := c.service.countRunning(ctx)
	switch {
	case err != nil:
		return err
	case running > 0 && !c.running:
		return fmt.Errorf("project %s has %d running surveys. Use a test project, or set -running", c.service.project, running)
	}
	c.say("This creates surveys named compare-... in project %s of %s, launches two of them for a page that no one visits, and deletes all of them: %d steps, about %s. Continue? [y/N] ",
		c.service.project, c.service.url, steps, (2 * pace * time.Duration(steps)).Round(time.Minute))
	answer, err := bufio.NewReader(c.in).ReadString('\n')
	if word := strings.TrimSpace(strings.ToLower(answer)); word != "y" && word != "yes" {
		return errors.Join(errors.New("not begun"), err)
	}
	return nil
}

// say prints a part of the report.
func (c comparison) say(format string, values ...any) {
	_, _ = fmt.Fprintf(c.out, format, values...) // even if no one reads the report, the created surveys must be deleted
}
