package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
)

// roles are the other programs that this one is when its first argument says so:
// each is a process of its own while it is measured.
var roles = map[string]func(context.Context, []string) error{
	"meter": func(ctx context.Context, args []string) error { return meter(ctx, args[0], args[1:]) },
	"serve": func(ctx context.Context, args []string) error { return contender(args[0]).serve(ctx) },
	"still": func(ctx context.Context, args []string) error { return serveStill(ctx, args[0]) },
	"prepare": func(ctx context.Context, args []string) error {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return prepare(ctx, contender(args[0]), n, args[2])
	},
	"replay": func(ctx context.Context, args []string) error {
		return profiled(args[3], func() error {
			took, err := replay(ctx, contender(args[0]), args[1], args[2] == "true")
			if err == nil {
				_, err = fmt.Println(took)
			}
			return err
		})
	},
}

// profiled writes a CPU profile of what is done, unless the path is empty.
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
