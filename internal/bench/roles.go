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
	"create": func(ctx context.Context, args []string) error {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return printed(createAll(ctx, variant(args[0]), n))
	},
	"import": func(ctx context.Context, args []string) error { return printed(importAll(ctx, args[0])) },
	"replay": func(ctx context.Context, args []string) error {
		return profiled(args[3], func() error {
			return printed(replay(ctx, variant(args[0]), args[1], args[2] == "true"))
		})
	},
}

// printed prints what a role measured.
func printed(took time.Duration, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Println(took)
	return err
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
