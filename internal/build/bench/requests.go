package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// requests counts the requests that the provider sends when a real CLI runs it.
func (b *bench) requests(ctx context.Context) (rows []string, err error) {
	plan := func(w *workspace) error { return w.plan(ctx, false) }
	apply := func(edit func(settings)) func(*workspace) error {
		return func(w *workspace) error {
			return errors.Join(w.configure(writtenSurveys, func(i int) settings {
				edited := ours.survey(before)(i)
				edit(edited)
				return edited
			}), w.apply(ctx))
		}
	}

	// A refresh of all surveys goes before an update, and then each survey is read once more:
	// what was edited since the plan is not overwritten.
	for _, one := range []struct {
		what                 string
		n, others, perSurvey int
		atMost               int // zero for no bar
		do                   func(*workspace) error
	}{
		{"a plan without changes", 1, 0, 1, 0, plan},
		{"a plan without changes", 10, 0, 1, 0, plan},
		{"a plan without changes", 200, 0, 1, 5, plan},
		{"a plan without changes", 1000, 0, 1, 9, plan},
		{"a plan without changes beside 5000 surveys", 1, 5000, 1, 2, plan},
		{"a creation", writtenSurveys, 0, 1, writtenSurveys + refresh, func(w *workspace) error {
			// Beside those that exist, which the state forgets.
			state := os.Remove(filepath.Join(w.dir, "terraform.tfstate"))
			return errors.Join(state, apply(func(s settings) { s["name"] = fmt.Sprint("New ", s["name"]) })(w))
		}},
		{"an update of the description", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, apply(func(s settings) { s["description"] = after })},
		{"an update of the questions", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, apply(func(s settings) {
			s["questions"] = json.RawMessage(strings.TrimSuffix(typedQuestions, "]") + `, {"type": "open", "question": "Anything else?"}]`)
		})},
		{"a destroy", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, func(w *workspace) error { return w.call(ctx, "destroy", "-auto-approve") }},
	} {
		if b.quick && one.n+one.others > writtenSurveys {
			continue
		}

		measured, err := b.requestsOf(ctx, one.n, one.others, one.do)
		if err != nil {
			return nil, err
		}
		rows = append(rows, b.counted(fmt.Sprintf("requests of %s, %s", one.what, surveys(one.n)), measured,
			fmt.Sprintf("%d, %d per survey", one.perSurvey*one.n, one.perSurvey), one.atMost))
	}
	return rows, nil
}

const (
	writtenSurveys = 50
	refresh        = 5 // requests at most
)

// requestsOf counts the requests of what is done with n surveys in code, on a service that has
// others besides.
func (b *bench) requestsOf(ctx context.Context, n, others int, do func(*workspace) error) (requests int, err error) {
	w, err := b.newWorkspace(ctx, ours, others)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if _, err := w.create(ctx, n); err != nil {
		return 0, err
	}
	measured, err := w.measure(ctx, func() error { return do(w) })
	return measured.requests, err
}
