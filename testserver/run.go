package testserver

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
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
// writes have detached answers.
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
	if code == 0 && len(report.DetachedAnswers) > 0 {
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
	reported := reportUntilEnd(s.world)
	packageServer.instance = &Instance{URL: port.url, Server: s}
	return func() {
		packageServer.mu.Lock()
		defer packageServer.mu.Unlock()
		packageServer.instance = nil
		port.close()
		reported()
	}, nil
}

// WorldOf returns the world of a test on the server of its package, which [Run] has started. The world
// has the name of the test, and is dropped when the test ends.
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

// started are the servers of this process that [Start] has made.
var started = struct {
	mu sync.Mutex
	// running are those whose test has not ended, ended are the problems of the others.
	running map[*control.World]bool
	ended   *record.Collector
}{running: map[*control.World]bool{}, ended: record.NewCollector()}

// Report returns the problems of the servers of this process that [Start] has made, those of
// tests that are over included. A TestMain calls it after the tests and decides what of
// it makes the run fail:
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		report := testserver.Report()
//		fmt.Print(report)
//		if code == 0 && len(report.DetachedAnswers) > 0 {
//			code = 1
//		}
//		os.Exit(code)
//	}
func Report() *RunReport {
	started.mu.Lock()
	defer started.mu.Unlock()
	sum := record.NewCollector()
	sum.Add(started.ended)
	for s := range started.running {
		s.AddProblems(sum)
	}
	return sum.Report()
}

// reportUntilEnd adds a server to the report of the process. The returned function has to
// be called when the server has stopped.
func reportUntilEnd(s *control.World) func() {
	started.mu.Lock()
	defer started.mu.Unlock()
	started.running[s] = true
	return func() {
		started.mu.Lock()
		defer started.mu.Unlock()
		delete(started.running, s)
		s.AddProblems(started.ended)
	}
}

// worldName returns a name for the world of a test. The name of a test may have any characters.
func worldName(test string) string {
	if control.CheckWorldName(test) == nil {
		return test
	}
	name := []byte(test[:min(len(test), control.MaxWorldName/2)])
	for i, b := range name {
		if control.CheckWorldName(string(b)) != nil {
			name[i] = '_'
		}
	}
	// The checksum distinguishes tests that differ only in what was replaced or cut.
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(test)))
}
