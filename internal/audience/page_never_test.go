package audience

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pattern that no URL can match is found, with a suggestion.
func TestURLsThatNoPageHas(t *testing.T) {
	t.Parallel()
	for conditions, want := range map[string]Finding{
		`{"url":" /pricing"}`:                                        {Failed, "", `remove the space, as in "/pricing"`},
		`{"url":"/pricing ","urlMatchType":"icontains"}`:             {Failed, "", "starts or ends with a space, which no page URL does, so it matches no page"},
		`{"url":"https://example.com/a\n","urlMatchType":"exact"}`:   {Failed, "", "starts or ends with a space"},
		`{"url":"/a b"}`:                                             {Failed, "", "write /a%20b"},
		`{"url":"/über"}`:                                            {Failed, "", "write /%C3%BCber"},
		`{"url":"/a b","urlMatchType":"not_icontains"}`:              {Warning, "", "so it excludes no page"},
		`{"url":"/a ","urlMatchType":"is_not"}`:                      {Warning, "", "so it excludes no page"},
		`{"url":"*/checkout/success*","urlMatchType":"icontains"}`:   {Warning, "", `"*" in url "*/checkout/success*" is compared literally`},
		`{"url":"https://example.com/*","urlMatchType":"exact"}`:     {Warning, "", `set urlMatchType = "regex"`},
		`{"url":"*/a","urlMatchType":"not_icontains"}`:               {Warning, "", `set urlMatchType = "not_regex"`},
		`{"url":"/users/:id"}`:                                       {Warning, "", `"/:id" in url`},
		`{"url":"/users/{id}/edit"}`:                                 {Warning, "", `"{id}" in url`},
		`{"url":"https://Example.com/a","urlMatchType":"exact"}`:     {Failed, "", "such as https://example.com/a, or set"},
		`{"url":"HTTPS://example.com/A","urlMatchType":"exact"}`:     {Failed, "", "such as https://example.com/A, or set"},
		`{"url":"https://example.com:443/a","urlMatchType":"exact"}`: {Failed, "", "such as https://example.com/a, or set"},
		`{"url":"http://example.com:80","urlMatchType":"exact"}`:     {Failed, "", "such as http://example.com/, or set"},
		`{"url":"https://example.com?a=b","urlMatchType":"exact"}`:   {Failed, "", "such as https://example.com/?a=b, or set"},
		`{"url":"https://Example.com/a","urlMatchType":"is_not"}`:    {Warning, "", `set urlMatchType = "not_icontains"`},
		`{"url":"/pricing","urlMatchType":"exact"}`:                  {Failed, "", "https://www.example.com/pricing"},
		`{"url":"(","urlMatchType":"not_regex"}`:                     {Warning, "", "so it excludes no page"},
		`{"url":"example.com","urlMatchType":"exact"}`:               {Failed, "", "such as https://example.com,"},
		`{"url":"//example.com/a","urlMatchType":"exact"}`:           {Failed, "", "such as https://example.com/a,"},
	} {
		found := (&Survey{Conditions: conditions}).Never()
		require.Len(t, found, 1, conditions)
		assert.Equal(t, want.Result, found[0].Result, conditions)
		assert.Contains(t, found[0].Text, want.Text, conditions)
	}

	for _, conditions := range []string{
		`{}`, `{"url":""}`, `{"url":"/pricing"}`, `{"url":"EXAMPLE.com/A"}`, `{"url":"https://example.com/A","urlMatchType":"exact"}`, `{"url":"http://localhost:3000/","urlMatchType":"exact"}`,
		`{"url":"app://host","urlMatchType":"exact"}`, `{"url":".*\\/checkout .*","urlMatchType":"regex"}`, `{"url":"/a%20b?c=[d]&e='f'"}`, `{"url":"#section"}`, `{"url":"https://example.com/?a=B","urlMatchType":"exact"}`,
		`{"url":"https://example.com:8443/a","urlMatchType":"exact"}`, `{"url":"http://example.com:443/","urlMatchType":"exact"}`, `{"url":"*","urlMatchType":"fuzzy"}`,
	} {
		assert.Empty(t, (&Survey{Conditions: conditions}).Never(), conditions)
	}
}
