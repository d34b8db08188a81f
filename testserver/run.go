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

// TestingM is the part of *testing.M that [Run] uses.
type TestingM interface{ Run() int }

// packageServer is the server that [Run] started. [WorldOf] opens worlds on it.
var packageServer struct {
	mu       sync.Mutex
	instance *Instance
}

// Run runs the tests of a package with one server for all of them, prints a report, and returns the
// exit code for os.Exit:
//
//	func TestMain(m *testing.M) { os.Exit(testserver.Run(m, testserver.Options{})) }
//
// Each test gets its own world on that server from [WorldOf], so tests may run in parallel. Run
// returns the exit code of the tests. If the tests pass but a write detached answers, it returns 1.
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

// startForPackage starts the package's server. The returned function stops it.
func startForPackage(ctx context.Context, options Options) (end func(), err error) {
	packageServer.mu.Lock()
	defer packageServer.mu.Unlock()
	if packageServer.instance != nil {
		return nil, fmt.Errorf("Run already serves %s. Call it only once, in TestMain", packageServer.instance.URL)
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

// WorldOf returns the world of a test on the server that [Run] started for the package. The world has
// the name of the test and is dropped when the test ends.
func WorldOf(t TestingT) *Instance {
	t.Helper()
	packageServer.mu.Lock()
	instance := packageServer.instance
	packageServer.mu.Unlock()
	if instance == nil {
		t.Fatalf("testserver: WorldOf needs the package's server: call testserver.Run in TestMain")
		return nil
	}
	return instance.World(t)
}

// started holds the servers that [Start] started in this process.
var started = struct {
	mu sync.Mutex
	// running contains the servers whose tests have not ended. ended collects the problems of all
	// other servers.
	running map[*control.World]bool
	ended   *record.Collector
}{running: map[*control.World]bool{}, ended: record.NewCollector()}

// Report returns the problems of all servers that [Start] has started in this process, including
// servers of tests that have ended. Call it in TestMain after the tests, and decide which problems
// make the run fail:
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

// reportUntilEnd adds a server to the report of the process. Call the returned function when the
// server has stopped.
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

// worldName returns a valid world name for a test. The name of a test may contain any characters.
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
	// The checksum distinguishes tests whose names differ only in replaced or removed characters.
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(test)))
}
