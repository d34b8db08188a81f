package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The work on a request grows with its size: one large one does not keep all others waiting.
func TestHugeRequestsAreServedInTime(t *testing.T) {
	t.Parallel()
	// repeated is n pieces of JSON with numbers in them.
	repeated := func(n int, form string) string {
		pieces := make([]string, n)
		for i := range pieces {
			pieces[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(pieces, ",")
	}

	bodies := map[string]string{
		"languages":             `"translations":{` + repeated(40_000, `"en-a%d":{"name":"x"}`) + `}`,
		"languages of one name": `"translations":{` + repeated(40_000, `"EN_A%d":{"name":"x"}`) + `}`,
		"languages of questions": `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(20_000, `"c%d"`) + `],"translations":{` +
			repeated(20_000, `"en-a%d":{"question":"x"}`) + `}}]`,
		"languages of many questions": `"questions":[` + repeated(20_000, `{"type":"open","question":"%d","translations":{"de":{"question":"x"}}}`) + `]`,
		"questions":                   `"questions":[` + repeated(20_000, `{"type":"open","question":"%d"}`) + `]`,
		"choices":                     `"questions":[{"type":"single_choice","question":"q","choices":[` + repeated(100_000, `"c%d"`) + `]}]`,
		"tags":                        `"questions":[{"type":"open","question":"` + strings.Repeat("<b>", 300_000) + `"}]`,
		"appearance":                  `"appearance":{` + repeated(100_000, `"k%d":1`) + `}`,
		"conditions":                  `"conditions":{` + repeated(100_000, `"k%d":1`) + `}`,
		"fields":                      repeated(100_000, `"k%d":1`),
		"pattern":                     `"conditions":{"urlMatchType":"regex","url":"` + strings.Repeat("(", 400_000) + strings.Repeat(")", 400_000) + `"}`,
		"date":                        `"start_date":"2026-` + strings.Repeat("0 ", 400_000) + `"`,
		"filters": `"targeting_flag_filters":{"groups":[` + strings.Repeat(`{"properties":[{"key":"a","value":"b","operator":"exact","type":"person"}]},`, 5000) +
			`{"properties":[]}]}`,
	}

	for name, fields := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := call(t, testserver.Start(t, testserver.Options{Profile: testserver.Hosted})).undocumentedAnswers()
			start := time.Now()
			created := c.post(surveys, `{"name":"S","type":"popover",`+fields+`}`)
			assert.Less(t, created.status, http.StatusInternalServerError)
			if created.status == http.StatusCreated {
				c.patch(surveys+created.object()["id"].(string)+"/", `{`+fields+`}`)
			}
			assert.Less(t, time.Since(start), 60*time.Second)
		})
	}
}
