package main

import (
	"bufio"
	"strings"
	"testing"
)

func TestReadAnnouncement(t *testing.T) {
	t.Parallel()
	whole := "listening on http://127.0.0.1:1234\n" +
		"export POSTHOG_BASE_URL=http://127.0.0.1:1234\nexport POSTHOG_API_KEY='phx_test'\n" +
		"export POSTHOG_PROJECT_ID=1\nexport POSTHOG_ORGANIZATION_ID=0192d3a4\n"
	url, exports, err := readAnnouncement(bufio.NewReader(strings.NewReader(whole)))
	if err != nil || url != "http://127.0.0.1:1234" || exports["POSTHOG_API_KEY"] != "phx_test" {
		t.Errorf("read %q, %v, %v", url, exports, err)
	}

	for name, broken := range map[string]string{
		"the server ended":      "listening on http://127.0.0.1:1234\nexport POSTHOG_API_KEY=phx_test\n",
		"no address":            strings.TrimPrefix(whole, "listening on http://127.0.0.1:1234\n"),
		"a variable is missing": strings.Replace(whole, "POSTHOG_PROJECT_ID", "POSTHOG_PROJECT", 1),
		"a variable is empty":   strings.Replace(whole, "=1\n", "=\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if url, exports, err := readAnnouncement(bufio.NewReader(strings.NewReader(broken))); err == nil {
				t.Errorf("read %q and %v where it should have failed", url, exports)
			}
		})
	}
}
