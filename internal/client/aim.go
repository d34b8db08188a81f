package client

import (
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// template is the path of an operation in segments; those in braces are ids.
type template struct {
	method   string
	segments []string
	ids      int
}

// templates are the operations of the contract, by id.
var templates = sync.OnceValue(func() map[string]template {
	all := map[string]template{}
	for _, o := range api.AllOperations() {
		all[o.ID] = template{o.Method, strings.Split(strings.Trim(o.Path, "/"), "/"), strings.Count(o.Path, "{")}
	}
	return all
})

// aimed refuses a request that isn't for the operation. Ids come from
// configurations and command lines: an empty one, "..", or one that is the name of
// another operation, would make a request that does something else.
func (c *Client) aimed(operation string, u *url.URL) error {
	path, ok := strings.CutPrefix(u.EscapedPath(), c.base.EscapedPath())
	segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
	want := templates()[operation]
	if !ok || !want.matches(segments) {
		return fmt.Errorf("%s: not sent, since %s is not an address of this operation: "+
			"an id in it is empty or has a character that no id has",
			operation, c.credential.hide(cleaned(u.EscapedPath(), 200)))
	}
	for other, t := range templates() {
		if t.method == want.method && t.ids < want.ids && t.matches(segments) {
			return fmt.Errorf("%s: not sent, since %q is not an id but the name of %s",
				operation, segments[len(segments)-1], other)
		}
	}
	return nil
}

// matches tells whether the escaped segments of a path fit the template.
func (t template) matches(segments []string) bool {
	if len(segments) != len(t.segments) {
		return false
	}
	for i, want := range t.segments {
		got, err := url.PathUnescape(segments[i])
		if err != nil {
			return false
		}
		if strings.HasPrefix(want, "{") {
			if got == "" || strings.ContainsAny(got, `/\`) || cleaned(got, len(got)) != got {
				return false
			}
		} else if got != want {
			return false
		}
	}
	return true
}
