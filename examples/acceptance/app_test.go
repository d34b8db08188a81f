package acceptance_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// patience is for a browser on a busy machine. No test waits longer than it has to.
const patience = 2 * time.Minute

// The survey of the module is answered in an app, and a destroy does not delete the answer.
func TestAccModuleIsAnswered(t *testing.T) {
	t.Parallel()
	// The clock of the server stands still; Terraform and the browser have that of this machine.
	service := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Clock: time.Now})
	app, browser := startApp(t, service), startBrowser(t)

	keeping := arguments(true)
	keeping["keep_answers"] = config.BoolVariable(true)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config:          configuration(t, service),
				ConfigVariables: keeping,
				Check: func(state *terraform.State) error {
					ctx, cancel := context.WithTimeout(browser, patience)
					defer cancel()
					if err := answer(ctx, app+"?customer=ada"); err != nil {
						return err
					}

					sent := service.WaitEvent(ctx, testserver.EventFilter{Event: "survey sent", DistinctID: "ada"})
					score := state.RootModule().Outputs["score"].Value.(string)
					if got := fmt.Sprint(sent.Properties[score]); got != "9" {
						return fmt.Errorf("the score is %s, want 9", got)
					}
					return nil
				},
			},
			{
				Config:          configuration(t, service),
				ConfigVariables: keeping,
				Destroy:         true,
				ExpectError:     regexp.MustCompile(`it\s+has\s+1\s+response\.`),
			},
			{
				// The destroy at the end of the test deletes it.
				Config:          configuration(t, service),
				ConfigVariables: arguments(true),
			},
		},
	})
}

// page is an app with the snippet of posthog-js, which the test server has too.
const page = `<!doctype html>
<title>App</title>
<script src="%[1]s/static/array.js"></script>
<script>
	posthog.init("%[2]s", {
		api_host: "%[1]s",
		// posthog-js takes a browser that a test drives for a bot, and would send nothing.
		opt_out_useragent_filter: true,
		bootstrap: { distinctID: new URLSearchParams(location.search).get("customer"), isIdentifiedID: true },
	});
</script>`

// startApp serves the app, and returns its address.
func startApp(t *testing.T, service *testserver.Instance) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, page, service.URL, service.ProjectToken(service.ProjectID))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// startBrowser starts a browser that ends with the test. Without a Chromium in PATH the test is
// skipped; with TEST_BROWSER=required, as a CI should have it, it fails.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium-headless-shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		if os.Getenv("TEST_BROWSER") == "required" {
			t.Fatal("no Chromium in PATH, and TEST_BROWSER=required")
		}
		t.Skip("no Chromium in PATH")
	}

	allocator, stopAllocator := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // containers run tests as root
	)...)
	t.Cleanup(stopAllocator)
	browser, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("%s does not start: %v", program, err)
	}
	return browser
}

// answer opens the app, and answers the survey that it shows.
func answer(ctx context.Context, address string) error {
	if _, err := chromedp.Run(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("cannot open the app: %w", err)
	}
	for _, selector := range []string{`button[aria-label="Rate 9"]`, ".form-submit"} {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(press, selector), chromedp.EvalAwaitPromise)); err != nil {
			return fmt.Errorf("cannot press %s of the survey: %w", selector, err)
		}
	}
	return nil
}

// press presses what a selector finds in a survey, as soon as it is there. Surveys are in shadow
// trees, into which the selectors of a page do not reach.
const press = `new Promise((pressed) => {
	const look = () => {
		const surveys = [...document.querySelectorAll("[class^=PostHogSurvey]")];
		const found = surveys.map((survey) => survey.shadowRoot?.querySelector(%q)).find((element) => element && !element.disabled);
		if (!found) {
			setTimeout(look, 50);
			return;
		}
		found.click();
		pressed(true);
	};
	look();
})`
