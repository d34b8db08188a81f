package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"time"
)

// roles are the programs that this one runs as, by its first argument: each is measured as
// a process of its own.
var roles = map[string]func(context.Context, []string) error{
	"meter":  func(ctx context.Context, args []string) error { return meter(ctx, args[0], args[1:]) },
	"serve":  func(ctx context.Context, args []string) error { return variant(args[0]).serve(ctx) },
	"static": func(ctx context.Context, args []string) error { return serveStatic(ctx, args[0]) },
	"prepare": func(ctx context.Context, args []string) error {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return prepare(ctx, variant(args[0]), n, args[2])
	},
	"create": measured(func(ctx context.Context, args []string) (time.Duration, error) {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return 0, err
		}
		return createAll(ctx, variant(args[0]), n)
	}),
	"import": measured(func(ctx context.Context, args []string) (time.Duration, error) { return importAll(ctx, args[0]) }),
	"replay": measured(func(ctx context.Context, args []string) (time.Duration, error) {
		return replay(ctx, variant(args[0]), args[1], args[2] == "true")
	}),
}

// measured makes a role print the CPU time that it took, and write a CPU profile to the
// file that its last argument names, unless that is empty.
func measured(role func(context.Context, []string) (time.Duration, error)) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		last := len(args) - 1
		return profiled(args[last], func() error {
			duration, err := role(ctx, args[:last])
			if err != nil {
				return err
			}
			_, err = fmt.Println(duration)
			return err
		})
	}
}

// profiled writes a CPU profile of do, unless the path is empty.
func profiled(path string, do func() error) error {
	if path == "" {
		return do()
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	err = do()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}
