package testserver

import "sync"

// started are the servers of this process that [Start] has made.
var started = struct {
	mu sync.Mutex
	// running are those whose test has not ended, ended is the data of the others.
	running map[*Server]bool
	ended   collector
}{running: map[*Server]bool{}}

// Report says what the servers of this process that [Start] has made were asked, those of
// tests that are over included. A TestMain calls it after the tests and decides what of
// it makes the run fail:
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		report := testserver.Report()
//		fmt.Print(report)
//		if code == 0 && len(report.CutAnswers) > 0 {
//			code = 1
//		}
//		os.Exit(code)
//	}
func Report() *RunReport {
	started.mu.Lock()
	defer started.mu.Unlock()
	sum := &collector{}
	sum.add(&started.ended)
	for s := range started.running {
		sum.addServer(s)
	}
	return sum.report()
}

// reportUntilEnd adds a server to the report of the process. The returned function has to
// be called when the server has stopped.
func reportUntilEnd(s *Server) func() {
	started.mu.Lock()
	defer started.mu.Unlock()
	started.running[s] = true
	return func() {
		started.mu.Lock()
		defer started.mu.Unlock()
		delete(started.running, s)
		started.ended.addServer(s)
	}
}
