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
		n    int
		most bar
	}{
		{1, bar{}}, {10, bar{}}, {200, bar{atMost: 5}}, {1000, bar{atMost: 9}},
	} {
		f, err := g.fleet(ctx, one.n)
		if err != nil {
			return nil, err
		}
		made, err := f.requests(ctx, (*estate).planNothing)
		if err != nil {
			return nil, err
		}
		rows = append(rows, counted(fmt.Sprintf("plan without changes, %s", surveys(one.n)), made,
			fmt.Sprintf("%d, one for each", one.n), one.most))
	}
	const stored, n = 5000, 200
	made, err := g.requestsAlone(ctx, 1, stored, (*estate).planNothing)
	if err != nil {
		return nil, err
	}
	rows = append(rows, counted(fmt.Sprintf("plan without changes, 1 survey of a project with %d", stored+1), made,
		"1, one for each", bar{atMost: 2}))
	made, err = g.requestsAlone(ctx, n, 0, (*estate).destroy)
	return append(rows, counted(fmt.Sprintf("destroy, %s", surveys(n)), made,
		fmt.Sprintf("%d, two for each", 2*n), bar{atMost: n + 5})), err
}

// requestsAlone counts the requests of what is done with a fleet that no other
// section sees.
func (g *ground) requestsAlone(ctx context.Context, n, others int, do func(*estate, context.Context) error) (made int, err error) {
	f, err := g.newFleet(ctx, n, others)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.stop()) }()
	return f.requests(ctx, do)
}

// requests counts the requests of what is done with the fleet.
func (f *fleet) requests(ctx context.Context, do func(*estate, context.Context) error) (int, error) {
	e, err := f.estate(ctx, ours)
	if err != nil {
		return 0, err
	}
	return f.srv.counted(ctx, func() error { return do(e, ctx) })
}

func (e *estate) planNothing(ctx context.Context) error {
	_, err := e.plan(ctx, false)
	return err
}

func (e *estate) destroy(ctx context.Context) error {
	_, err := e.run(ctx, "destroy", "-auto-approve")
	return err
}

func surveys(n int) string {
	if n == 1 {
		return "1 survey"
	}
	return fmt.Sprintf("%d surveys", n)
}
