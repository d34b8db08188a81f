package testserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// stopTimeout is how long the program waits for requests in flight when it stops.
const stopTimeout = 5 * time.Second

// command holds the values of the program's flags.
type command struct {
	listen, profile, fixtures, data    string
	worlds, strict, delivery, untilEOF bool
	version                            bool
	maxEvents                          int
	hosts                              []string
}

// flagSet returns the program's flags. Parsing them stores their values in c.
func (c *command) flagSet() *flag.FlagSet {
	flags := flag.NewFlagSet("posthog-testserver", flag.ContinueOnError)
	flags.StringVar(&c.listen, "listen", "127.0.0.1:8000", "`address` to listen on; port 0 picks a free one")
	flags.Func("host", "additional host `name` by which clients reach the server, without a port (repeatable, or separated by commas); * allows any name",
		func(names string) error { c.hosts = append(c.hosts, strings.Split(names, ",")...); return nil })
	flags.StringVar(&c.profile, "profile", string(Documented), "API `profile`, documented or hosted")
	flags.StringVar(&c.fixtures, "fixtures", "", "`file` with the fixtures document, or - for standard input; by default, there is one project and one key")
	flags.StringVar(&c.data, "data", "", "`file` in which to store the contents: loaded instead of the fixtures if it exists, and replaced within a second of each change")
	flags.BoolVar(&c.worlds, "worlds", true, "give each API key phx_test_NAME its own contents, journal, faults, and clock")
	flags.BoolVar(&c.strict, "strict", false, "refuse undocumented request fields with status 400 and their path")
	flags.BoolVar(&c.untilEOF, "until-eof", false, "stop when standard input ends, for example because the program at its other end exits or is killed")
	flags.BoolVar(&c.delivery, "delivery", false, "serve surveys to the SDKs in apps even in the documented profile; the hosted profile always does")
	flags.IntVar(&c.maxEvents, "max-events", store.DefaultMaxEvents, "maximum `number` of stored events; the oldest are dropped first, and survey events last")
	flags.BoolVar(&c.version, versionFlag, false, "print the version, and exit")
	return flags
}

const versionFlag = "version"

// CommandFlags returns the flags of the program posthog-testserver, for man pages and
// completion. Parsing them does not start the server.
func CommandFlags() *flag.FlagSet { return new(command).flagSet() }

// Command runs the program posthog-testserver until the context ends. It prints the line
// "listening on http://HOST:PORT" and the environment variables that clients need. It returns the
// exit code: 0 for success, 1 if the server cannot run, and 2 for invalid arguments. With the
// argument health, it checks whether a server responds, and returns 0 if it does and 1 if not.
func Command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c command
	flags := c.flagSet()
	flags.Usage = func() {}
	if err := parseFlags(flags, args); errors.Is(err, flag.ErrHelp) {
		printUsage(flags, stderr)
		return 0
	} else if err != nil {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: %v\n", err)
		return 2
	}
	if err := setFromEnvironment(flags); err != nil {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: %v\n", err)
		return 2
	}
	if c.version {
		_, _ = fmt.Fprintln(stdout, "posthog-testserver", buildVersion())
		return 0
	}
	serve := func() error { return c.run(ctx, stdout, stderr) }
	rest := flags.Args()
	if len(rest) > 0 && rest[0] == "health" {
		serve = func() error { return c.health(ctx, flags.Arg(1)) }
		rest = rest[min(2, len(rest)):]
	}
	if len(rest) > 0 {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: unexpected argument %q. %s\n", rest[0], helpHint)
		return 2
	}

	if c.untilEOF {
		if c.fixtures == "-" {
			_, _ = fmt.Fprintln(stderr, "posthog-testserver: -until-eof and -fixtures - both read standard input; pass the fixtures as a file")
			return 2
		}
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		go func() {
			defer stop()
			_, _ = io.Copy(io.Discard, os.Stdin)
		}()
	}
	if err := serve(); err != nil {
		_, _ = fmt.Fprintf(stderr, "posthog-testserver: %v\n", err)
		return 1
	}
	return 0
}

// buildVersion returns the version of the main module in the build info.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// setFromEnvironment sets each flag that is missing from the command line from its environment
// variable, such as POSTHOG_TESTSERVER_MAX_EVENTS for -max-events. It ignores empty variables, and
// POSTHOG_TESTSERVER_VERSION, which may contain the version of an image.
func setFromEnvironment(flags *flag.FlagSet) error {
	isSet := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { isSet[f.Name] = true })
	var err error
	flags.VisitAll(func(f *flag.Flag) {
		variable := "POSTHOG_TESTSERVER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := os.Getenv(variable); value != "" && !isSet[f.Name] && f.Name != versionFlag {
			if wrong := flags.Set(f.Name, value); wrong != nil {
				err = errors.Join(err, fmt.Errorf("%s=%q is not valid for -%s: %w", variable, value, f.Name, wrong))
			}
		}
	})
	return err
}

// health checks whether a server responds at a URL. Without a URL, it checks the server on this machine
// that uses the same -listen.
func (c command) health(ctx context.Context, url string) error {
	if url == "" {
		host, port, err := net.SplitHostPort(c.listen)
		if err != nil || port == "0" {
			return fmt.Errorf("-listen %s does not specify a port. Pass the URL: posthog-testserver health URL", c.listen)
		}
		if host == "" || net.ParseIP(host).IsUnspecified() {
			host = "localhost"
		}
		url = "http://" + net.JoinHostPort(host, port)
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/_testserver/health", http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		cause := failed.Err
		if inner := errors.Unwrap(cause); inner != nil {
			cause = inner // omits the name of the system call
		}
		return fmt.Errorf("no server responds at %s: %w. Start the server, or pass its URL: posthog-testserver health URL", url, cause)
	}
	if err != nil {
		return fmt.Errorf("no server responds at %s: %w", url, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responds %s, so it is not a test server", request.URL, response.Status)
	}
	return nil
}

// run serves until the context ends.
func (c command) run(ctx context.Context, stdout, stderr io.Writer) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := c.load()
	if err != nil {
		return err
	}
	listener, err := web.Listen(ctx, c.listen)
	if err != nil {
		return fmt.Errorf("%w; -listen 127.0.0.1:0 picks a free port", err)
	}
	saveErrors, stopKeeping := c.keepData(ctx, s)
	defer stopKeeping()

	server := newHTTPServer(ctx, s)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	warnIfOpen(stderr, listener.Addr())
	if err := announce(stdout, s, addressOfListener(listener.Addr())); err != nil {
		return err
	}

	select {
	case err := <-served:
		return err
	case err := <-saveErrors:
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}

	// Requests in flight may still change the data, so the server stops before the last save.
	err = stop(ctx, server)
	stopKeeping()
	if c.data != "" {
		err = errors.Join(err, <-saveErrors)
	}
	return err
}

// lock locks the data file if c.data is set.
func (c command) lock() (unlock func(), err error) {
	if c.data == "" {
		return func() {}, nil
	}
	return lockData(c.data)
}

// keepData saves the store to the data file until stop is called. The channel receives the result of
// the last save, or the error that ended saving early. Without a data file, keepData does nothing.
func (c command) keepData(ctx context.Context, s *Server) (saveErrors <-chan error, stop func()) {
	ended := make(chan error, 1)
	if c.data == "" {
		return ended, func() {}
	}
	keeping, cancel := context.WithCancel(context.WithoutCancel(ctx))
	file := newDataFile(c.data, s)
	go func() { ended <- file.run(keeping) }()
	return ended, cancel
}

// stop shuts down the server. After stopTimeout, it closes the connections of requests in flight.
func stop(ctx context.Context, server *http.Server) error {
	shutdown, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(shutdown); err != nil {
		return server.Close()
	}
	return nil
}

// load creates the server from the data file, or from the fixtures if there is no data file yet.
func (c command) load() (*Server, error) {
	options := Options{Profile: Profile(c.profile), Worlds: c.worlds, Strict: c.strict, Hosts: c.hosts, Delivery: c.delivery, MaxEvents: c.maxEvents}
	name, file, err := c.open()
	if err != nil {
		return nil, err
	}
	if file == nil {
		return New(options)
	}
	defer func() { _ = file.Close() }()

	options.Fixtures = file
	s, err := New(options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// open opens the document that the server loads at the start. The file is nil if there is none.
func (c command) open() (name string, file *os.File, err error) {
	if c.data != "" {
		file, err = os.Open(c.data)
		if !errors.Is(err, fs.ErrNotExist) {
			return c.data, file, err
		}
	}
	switch c.fixtures {
	case "":
		return "", nil, nil
	case "-":
		return "standard input", os.Stdin, nil
	}
	file, err = os.Open(c.fixtures)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the fixtures file %s does not exist", c.fixtures)
	}
	return c.fixtures, file, err
}

// announce prints the server's URL and the environment variables for clients.
func announce(stdout io.Writer, s *Server, url string) error {
	var lines strings.Builder
	lines.WriteString("listening on " + url + "\n")
	for _, variable := range s.Environment(url) {
		lines.WriteString(variable.Export() + "\n")
	}
	if token := s.AppToken(); !s.world.Delivers {
		lines.WriteString("# " + sdk.NotDelivered + "\n")
	} else if token != "" {
		lines.WriteString("# posthog.init('" + token + "', {api_host: '" + url + "', opt_out_useragent_filter: true})\n")
	}
	_, err := io.WriteString(stdout, lines.String())
	return err
}

// Limits of the server that the program runs.
const (
	headerTimeout  = 30 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 128 << 10
)

// newHTTPServer returns an HTTP server that ends its requests' fault delays when the context ends.
func newHTTPServer(ctx context.Context, s *Server) *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// When the context ends, fault delays end, too.
		BaseContext: control.WithServerContext(ctx),
	}
}

// addressOfListener returns a URL at which clients on this machine can reach the listener.
func addressOfListener(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return "http://" + address.String()
}

// warnIfOpen warns if other machines can reach the listener.
func warnIfOpen(stderr io.Writer, address net.Addr) {
	if tcp, ok := address.(*net.TCPAddr); !ok || tcp.IP.IsLoopback() {
		return
	}
	_, _ = fmt.Fprintf(stderr, "posthog-testserver: other machines can reach %s. Anyone who can reach it can read and replace all contents, "+
		"the journal, and the faults without a key. To restrict it to this machine, use -listen 127.0.0.1:8000\n", address)
}
