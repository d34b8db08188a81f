package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// requests counts the requests that the provider sends when a real CLI runs it. The
// official provider sends one per survey.
func requests(ctx context.Context, g *runner) ([]row, error) {
	var rows []row
	for _, one := range []struct {
		n    int
		most bar
	}{
		{1, bar{}}, {10, bar{}}, {200, bar{atMost: 5}}, {1000, bar{atMost: 9}},
	} {
		f, err := g.fixture(ctx, one.n)
		if err != nil {
			return nil, err
		}
		measured, err := f.requests(ctx, (*workspace).planWithoutChanges)
		if err != nil {
			return nil, err
		}

		rows = append(rows, counted(fmt.Sprintf("plan without changes, %s", surveys(one.n)), measured,
			fmt.Sprintf("%d, one per survey", one.n), one.most))
	}

	const stored, n = 5000, 200
	measured, err := g.requestsAlone(ctx, 1, stored, (*workspace).planWithoutChanges)
	if err != nil {
		return nil, err
	}
	rows = append(rows, counted(fmt.Sprintf("plan without changes, 1 survey of a project with %d", stored+1), measured,
		"1, one per survey", bar{atMost: 2}))

	measured, err = g.requestsAlone(ctx, n, 0, (*workspace).destroy)
	if err != nil {
		return nil, err
	}
	rows = append(rows, counted(fmt.Sprintf("destroy, %s", surveys(n)), measured, fmt.Sprintf("%d, two per survey", 2*n), bar{atMost: 2*n + 5}))

	writes, err := g.requestsOfWrites(ctx)
	return append(rows, writes...), err
}

// requestsOfWrites counts the requests of applies. A refresh of all surveys goes before
// an update, and then each survey is read once more: what was edited since the plan is not
// overwritten.
func (g *runner) requestsOfWrites(ctx context.Context) ([]row, error) {
	const n, refresh = 50, 5
	var rows []row
	for _, one := range []struct {
		what, against string
		isNew         bool
		edit          func(settings)
		most          float64
	}{
		{"create", fmt.Sprintf("%d, one per survey", n), true, nil, n + refresh},
		{"update of the description", fmt.Sprintf("%d, two per survey", 2*n), false, func(s settings) { s["description"] = after }, 2*n + refresh},
		{"update of the questions", fmt.Sprintf("%d, two per survey", 2*n), false, addQuestion, 2*n + refresh},
	} {
		measured, err := g.requestsAlone(ctx, n, 0, applied(n, one.isNew, one.edit))
		if err != nil {
			return nil, err
		}
		rows = append(rows, counted(fmt.Sprintf("%s, %s", one.what, surveys(n)), measured, one.against, bar{atMost: one.most}))
	}
	return rows, nil
}

// requestsAlone counts the requests of what is done with a fixture that no other
// section sees.
func (g *runner) requestsAlone(ctx context.Context, n, others int, do func(*workspace, context.Context) error) (measured int, err error) {
	f, err := g.newFixture(ctx, n, others)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.stop()) }()
	return f.requests(ctx, do)
}

// requests counts the requests of what is done with the fixture.
func (f *fixture) requests(ctx context.Context, do func(*workspace, context.Context) error) (int, error) {
	e, err := f.workspace(ctx, ours)
	if err != nil {
		return 0, err
	}
	return f.srv.countRequests(ctx, func() error { return do(e, ctx) })
}

func (e *workspace) planWithoutChanges(ctx context.Context) error {
	_, err := e.plan(ctx, false)
	return err
}

func (e *workspace) destroy(ctx context.Context) error {
	_, err := e.run(ctx, "destroy", "-auto-approve")
	return err
}

// applied applies an edit to n surveys; isNew creates them beside those that exist.
func applied(n int, isNew bool, edit func(settings)) func(*workspace, context.Context) error {
	return func(e *workspace, ctx context.Context) error {
		err := e.configureEach(n, func(i int) settings {
			survey := e.variant.survey(i, before)
			if isNew {
				survey["name"] = "New " + surveyName(i)
			} else {
				edit(survey)
			}
			return survey
		})
		if isNew && err == nil {
			err = os.Remove(filepath.Join(e.dir, "terraform.tfstate"))
		}
		if err != nil {
			return err
		}
		_, err = e.run(ctx, "apply", "-auto-approve")
		return err
	}
}

func addQuestion(survey settings) {
	questions, _ := survey["questions"].([]any)
	survey["questions"] = append(questions, map[string]any{"type": "open", "question": "Anything else?"})
}

func surveys(n int) string {
	if n == 1 {
		return "1 survey"
	}
	return fmt.Sprintf("%d surveys", n)
}
