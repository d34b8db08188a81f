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

// patience is the timeout for a browser on a busy machine. Tests wait only as long as necessary.
const patience = 2 * time.Minute

// A respondent answers the module's survey in an app, and destroying the module does not delete the answer.
func TestAccModuleIsAnswered(t *testing.T) {
	t.Parallel()
	// By default, the test server's clock is stopped, but Terraform and the browser use the machine's clock.
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
				// The destroy at the end of the test deletes the survey.
				Config:          configuration(t, service),
				ConfigVariables: arguments(true),
			},
		},
	})
}

// page is an app's page with the posthog-js snippet, which loads the SDK from the test server.
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

// startApp serves the app, and returns its URL.
func startApp(t *testing.T, service *testserver.Instance) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, page, service.URL, service.ProjectToken(service.ProjectID))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// startBrowser starts a browser, which ends with the test. If PATH contains no Chromium, it skips the test. With
// TEST_BROWSER=required, which CI should set, it fails the test.
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
		chromedp.NoSandbox, // tests in containers run as root
	)...)
	t.Cleanup(stopAllocator)
	browser, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("could not start %s: %v", program, err)
	}
	return browser
}

// answer opens the app and answers the survey.
func answer(ctx context.Context, address string) error {
	if _, err := chromedp.Run(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("cannot open the app: %w", err)
	}
	for _, selector := range []string{`button[aria-label="Rate 9"]`, ".form-submit"} {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(press, selector), chromedp.EvalAwaitPromise)); err != nil {
			return fmt.Errorf("cannot click %s in the survey: %w", selector, err)
		}
	}
	return nil
}

// press waits for an element in a survey that matches a selector, and clicks it. Surveys are in shadow trees,
// which the page's own selectors do not search.
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
