package testserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// stopTimeout is how long requests in flight may take when the command is stopped.
const stopTimeout = 5 * time.Second

// Command is the program posthog-testserver: it serves until the context ends. It
// prints one line, "listening on http://HOST:PORT", and the environment by which
// clients find the server. The result is the exit code: 0, 1 when the server cannot
// run, 2 when the arguments are wrong.
func Command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("posthog-testserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	listen := flags.String("listen", "127.0.0.1:8000", "`address` to listen on; port 0 picks a free one")
	profile := flags.String("profile", string(Documented), "the `profile` to speak, documented or hosted")
	fixtures := flags.String("fixtures", "", "`file` with the fixtures document, - for standard input; without it there is one project and one key")

	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}

	if flags.NArg() > 0 {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: unexpected argument %q\n", flags.Arg(0))
		return 2
	}

	if err := run(ctx, *listen, Profile(*profile), *fixtures, stdout); err != nil {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: %v\n", err)
		return 1
	}

	return 0
}

func run(ctx context.Context, listen string, profile Profile, fixtures string, stdout io.Writer) error {
	s, err := load(profile, fixtures)
	if err != nil {
		return err
	}

	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; -listen 127.0.0.1:0 picks a free port", listen, err)
	}

	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: time.Minute,
		// Stopping also ends the delays of faults.
		BaseContext: withServerContext(ctx),
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	if err := s.announce(stdout, "http://"+listener.Addr().String()); err != nil {
		return err
	}

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}

	// Requests in flight get some time to end.
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		return server.Close()
	}
	return nil
}

// load makes the server with the fixtures of a file.
func load(profile Profile, fixtures string) (*Server, error) {
	options := Options{Profile: profile}
	if fixtures == "" {
		return New(options)
	}
	file, err := openFixtures(fixtures)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	options.Fixtures = file
	s, err := New(options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fixtures, err)
	}
	return s, nil
}

// openFixtures opens a file, or standard input.
func openFixtures(path string) (*os.File, error) {
	if path == "-" {
		return os.Stdin, nil
	}
	return os.Open(path)
}

// announce says where the server is and how to get in.
func (s *Server) announce(stdout io.Writer, url string) error {
	key, project, organization := s.Credentials()
	var lines strings.Builder
	lines.WriteString("listening on " + url + "\n")
	for _, variable := range []struct{ name, value string }{
		{"POSTHOG_BASE_URL", url}, {"POSTHOG_API_KEY", key}, {"POSTHOG_PROJECT_ID", project}, {"POSTHOG_ORGANIZATION_ID", organization},
	} {
		if variable.value != "" {
			lines.WriteString("export " + variable.name + "=" + variable.value + "\n")
		}
	}
	_, err := io.WriteString(stdout, lines.String())
	return err
}
