package jsonvalue

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		`{"a": [1, -2.5e300, "` + strings.Repeat("9", 100_000) + `", "` + strings.Repeat(`[\"`, 5000) + `"]}`: "",
		`{"a":` + strings.Repeat("9", 4300) + `}`:                                                             "",
		`{"a":` + strings.Repeat("9", 4301) + `}`:                                                             "a number has more than 4300 digits",
		`[0.` + strings.Repeat("1", 4301) + `]`:                                                               "a number has more than 4300 digits",
		`[1e` + strings.Repeat("9", 4301) + `]`:                                                               "a number has more than 4300 digits",
		strings.Repeat("[", 1000) + strings.Repeat("]", 1000):                                                 "",
		strings.Repeat("[", 1001):                                                                             "lists and objects are nested more than 1000 deep",
		strings.Repeat(`{"a":[`, 501):                                                                         "lists and objects are nested more than 1000 deep",
		strings.Repeat(`[[],{}],`, 5000):                                                                      "",
		`"\\"` + strings.Repeat("9", 4301):                                                                    "a number has more than 4300 digits",
		`"` + strings.Repeat("9", 4301) + `\""`:                                                               "",
		`not JSON at all, which others report` + strings.Repeat(`]`, 9):                                       "",
	} {
		err := Check([]byte(text))
		if complaint == "" {
			assert.NoError(t, err, "%.40s", text)
		} else {
			assert.EqualError(t, err, complaint, "%.40s", text)
		}
	}
}
