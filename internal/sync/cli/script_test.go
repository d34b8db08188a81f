package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// scriptKey is the API key in all scripts. It must not appear in any output.
const scriptKey = "phx_theKeyOfTheScripts"

// scriptFixtures is used if a script does not contain fixtures.json.
const scriptFixtures = `{
  "api_keys": [{"key": "` + scriptKey + `"}],
  "feature_flags": [{"id": 1, "project_id": 1, "key": "beta", "name": "Beta"}],
  "surveys": [
    {"project_id": 1, "id": "0190d6a4-0000-7000-8000-000000000001", "name": "NPS", "type": "popover", "linked_flag_id": 1,
     "questions": [{"id": "q1", "type": "rating", "display": "number", "scale": 10, "question": "How likely?"}]},
    {"project_id": 1, "id": "0190d6a4-0000-7000-8000-000000000002", "name": "Exit", "type": "popover",
     "questions": [{"id": "q2", "type": "open", "question": "Why?"}]}
  ],
  "pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 7, "name": "GeoIP"}],
  "responses": [{"survey_id": "0190d6a4-0000-7000-8000-000000000001", "count": 12}]
}`

// TestMain makes the programs available to the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"posthog-sync": func() {
			p := newProgram("1.2.3")
			if !p.terminal {
				p.stdout, p.stderr = &guard{to: os.Stdout}, &guard{to: os.Stderr}
			}
			os.Exit(p.main(os.Args[1:]))
		},
		"posthog-testserver": func() {
			os.Exit(testserver.Command(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// guard exits with a special code before the program writes the API key.
type guard struct {
	to      io.Writer
	written bytes.Buffer
}

func (g *guard) Write(b []byte) (int, error) {
	g.written.Write(b)
	if key := os.Getenv("POSTHOG_API_KEY"); key != "" && bytes.Contains(g.written.Bytes(), []byte(key)) {
		_, _ = os.Stderr.WriteString("THE API KEY LEAKED\n")
		os.Exit(99)
	}
	return g.to.Write(b)
}

// TestScripts runs the scripts in testdata/script, each with a new test server.
func TestScripts(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()

	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup:               startScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"expand":   expand,
			"requests": requests,
			"fault":    fault,
			"held":     held,
			"release":  release,
			"serve":    serve,
			"files":    files,
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "acceptance":
				return os.Getenv("TF_ACC") != "", nil
			case "mount":
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", dir).Run() == nil, nil
			case "root":
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + condition)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// scriptServer is the server of a script. The script decides when delayed requests continue.
type scriptServer struct {
	*testserver.Instance
	held, release chan struct{}
}

// startScript starts the server with the script's fixtures.json and profile, and sets the environment variables for
// it.
func startScript(env *testscript.Env) error {
	s := &scriptServer{held: make(chan struct{}, 100), release: make(chan struct{})}
	options := testserver.Options{
		Fixtures: strings.NewReader(scriptFixtures),
		Sleep: func(ctx context.Context, _ time.Duration) {
			s.held <- struct{}{}
			select {
			case <-s.release:
			case <-ctx.Done():
			}
		},
	}
	if fixtures, err := os.ReadFile(filepath.Join(env.WorkDir, "fixtures.json")); err == nil {
		options.Fixtures = strings.NewReader(strings.ReplaceAll(string(fixtures), "$KEY", scriptKey))
	}
	if profile, err := os.ReadFile(filepath.Join(env.WorkDir, "profile")); err == nil {
		options.Profile = testserver.Profile(strings.TrimSpace(string(profile)))
	}
	t := env.T().(testing.TB)
	options.Observe = acctest.ObserveContract(t)
	s.Instance = testserver.Start(t, options)

	env.Values["server"] = s
	env.Setenv("POSTHOG_BASE_URL", s.URL)
	env.Setenv("POSTHOG_API_KEY", scriptKey)
	env.Setenv("POSTHOG_PROJECT_ID", testserver.DefaultProjectID)
	env.Setenv("POSTHOG_ORGANIZATION_ID", testserver.DefaultOrganizationID)
	env.Setenv("TERRAFORM", os.Getenv("TF_ACC_TERRAFORM_PATH"))
	env.Setenv("REGISTRY", cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io"))
	env.Setenv("CHECKPOINT_DISABLE", "1")
	env.Setenv("NEWLINE", "\n")
	// Requests to local addresses bypass the proxy, so the proxy receives only external requests.
	elsewhere := proxyForNothing(t)
	env.Setenv("HTTP_PROXY", elsewhere)
	env.Setenv("HTTPS_PROXY", elsewhere)
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return err
	}
	env.Setenv("ROOT", root)
	return nil
}

// proxyForNothing starts a proxy that fails the test on any request, because the program must send requests only to
// PostHog.
func proxyForNothing(t testing.TB) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was sent to a host other than PostHog", r.Method, r.URL)
		http.Error(w, "no other host may receive a request", http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func serverOf(ts *testscript.TestScript) *scriptServer { return ts.Value("server").(*scriptServer) }

// exits runs a program and checks its exit code: exits CODE PROGRAM ARGUMENT...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code = %d, want %d", got, want)
	}
}

// expand copies a file and expands variables in it: expand FROM TO.
func expand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o600))
}

// serve starts another server with the fixtures in a file, and makes the script use it: serve FILE [PROFILE].
func serve(ts *testscript.TestScript, _ bool, args []string) {
	options := testserver.Options{Fixtures: strings.NewReader(ts.ReadFile(args[0]))}
	if len(args) > 1 {
		options.Profile = testserver.Profile(args[1])
	}
	srv, err := testserver.New(options)
	ts.Check(err)
	listener := httptest.NewServer(srv)
	ts.Defer(listener.Close)
	ts.Setenv("POSTHOG_BASE_URL", listener.URL)
	ts.Setenv("POSTHOG_API_KEY", testserver.DefaultAPIKey)
}

// files serves a directory's files at the URL in a variable: files DIRECTORY VARIABLE.
func files(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	ts.Defer(server.Close)
	ts.Setenv(args[1], server.URL)
}

// requests checks the number of requests since the last check, optionally with one method: requests NUMBER [METHOD].
func requests(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	srv, got := serverOf(ts), 0
	for _, one := range srv.Journal() {
		if len(args) == 1 || one.Method == args[1] {
			got++
		}
	}
	if got != want {
		ts.Fatalf("got %d requests, want %d: %+v", got, want, srv.Journal())
	}
	srv.ResetJournal()
}

// fault injects the faults in a file, or removes all faults if there is no argument.
func fault(ts *testscript.TestScript, _ bool, args []string) {
	document := `{"rules": []}`
	if len(args) == 1 {
		document = ts.ReadFile(args[0])
	}
	req, err := http.NewRequest(http.MethodPut, serverOf(ts).URL+"/_testserver/faults", strings.NewReader(document))
	ts.Check(err)
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusBadRequest {
		text, _ := io.ReadAll(resp.Body)
		ts.Fatalf("faults: %s", text)
	}
}

// held waits until the server holds a request that a fault delays.
func held(ts *testscript.TestScript, _ bool, _ []string) { <-serverOf(ts).held }

// release continues a delayed request.
func release(ts *testscript.TestScript, _ bool, _ []string) { serverOf(ts).release <- struct{}{} }

// The guard detects an API key in the output.
func TestGuardSeesTheKey(t *testing.T) {
	t.Parallel()
	executable, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(executable, filepath.Join(dir, "posthog-sync")))

	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "posthog-sync"), "--env", "phx_secret")
	cmd.Env = append(os.Environ(), "POSTHOG_API_KEY=phx_secret")
	cmd.Args[1] = "phx_secret" // the error repeats the unknown command
	out, err := cmd.CombinedOutput()

	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	require.Equal(t, 99, exit.ExitCode(), "%s", out)
}
