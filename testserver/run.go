package testserver

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// TestingM is what [Run] needs of a *testing.M.
type TestingM interface{ Run() int }

// packageServer is the server of [Run], whose worlds [WorldOf] hands out.
var packageServer struct {
	mu       sync.Mutex
	instance *Instance
}

// Run runs the tests of a package with one server for all of them, prints the report of the
// run, and returns the exit code for os.Exit:
//
//	func TestMain(m *testing.M) { os.Exit(testserver.Run(m, testserver.Options{})) }
//
// Each test has a world of its own on that server, by [WorldOf], so that tests may run in
// parallel. The code is that of the tests; it is 1 for a run whose tests passed and whose
// writes have cut off answers.
func Run(m TestingM, options Options) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	end, err := startForPackage(ctx, options)
	if err != nil {
		fmt.Fprintf(os.Stderr, "testserver: %v\n", err)
		return 1
	}
	defer end()

	code := m.Run()
	report := Report()
	fmt.Print(report)
	if code == 0 && len(report.CutAnswers) > 0 {
		return 1
	}
	return code
}

// startForPackage starts the server of the package, until the returned function is called.
func startForPackage(ctx context.Context, options Options) (end func(), err error) {
	packageServer.mu.Lock()
	defer packageServer.mu.Unlock()
	if packageServer.instance != nil {
		return nil, fmt.Errorf("Run serves %s already: it is for TestMain, once", packageServer.instance.URL)
	}

	options.Worlds = true
	s, err := New(options.forTests())
	if err != nil {
		return nil, err
	}
	port, err := openPort(ctx, s)
	if err != nil {
		return nil, err
	}
	reported := reportUntilEnd(s)
	packageServer.instance = &Instance{URL: port.url, Server: s}
	return func() {
		packageServer.mu.Lock()
		defer packageServer.mu.Unlock()
		packageServer.instance = nil
		port.close()
		reported()
	}, nil
}

// WorldOf returns the world of a test on the server of its package, which [Run] has started: it
// is named after the test, and dropped when the test ends.
func WorldOf(t TestingT) *Instance {
	t.Helper()
	packageServer.mu.Lock()
	instance := packageServer.instance
	packageServer.mu.Unlock()
	if instance == nil {
		t.Fatalf("testserver: WorldOf needs the server of the package: call testserver.Run in TestMain")
		return nil
	}
	return instance.World(t)
}

// forTests are the options with a clock that is stopped and ids that count up, unless they
// have their own.
func (o Options) forTests() Options {
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC) }
	}
	if o.IDs == nil {
		o.IDs = CountingIDs()
	}
	return o
}
