package main

import (
	"context"
	"errors"
	"fmt"
)

// requests counts what a real CLI with the provider asks of the service. The
// official provider asks once for each survey.
func requests(ctx context.Context, g *ground) ([]row, error) {
	var rows []row
	for _, one := range []struct {
		n, others int
		most      bar
	}{
		{n: 1}, {n: 10}, {n: 200, most: bar{atMost: 5}}, {n: 1000, most: bar{atMost: 9}}, {n: 1, others: 5000, most: bar{atMost: 2}},
	} {
		what := fmt.Sprintf("requests of a plan without changes, %d surveys", one.n)
		if one.others > 0 {
			what += fmt.Sprintf(" of a project with %d", one.n+one.others)
		}
		made, err := g.requestsOf(ctx, one.n, one.others, func(ctx context.Context, e *estate) error {
			_, err := e.plan(ctx, false)
			return err
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, counted(what, made, fmt.Sprintf("%d, one for each", one.n), one.most))
	}
	const n = 200
	made, err := g.requestsOf(ctx, n, 0, func(ctx context.Context, e *estate) error {
		_, err := e.run(ctx, "destroy", "-auto-approve")
		return err
	})
	return append(rows, counted(fmt.Sprintf("requests of a destroy of %d surveys, all in the project", n), made,
		fmt.Sprintf("%d, two for each", 2*n), bar{atMost: n + 5})), err
}

// requestsOf counts the requests of what is done with n surveys.
func (g *ground) requestsOf(ctx context.Context, n, others int, do func(context.Context, *estate) error) (made int, err error) {
	f, err := g.newFleet(ctx, n, others)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.stop()) }()
	e, err := f.estate(ctx, ours)
	if err != nil {
		return 0, err
	}
	return f.srv.counted(ctx, func() error { return do(ctx, e) })
}
