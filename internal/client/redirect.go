package client

import "fmt"

// redirectError is the error for a redirect. No redirect is followed: the key must not be
// sent elsewhere, and a redirected POST would become a GET.
func (a *response) redirectError() error {
	location := a.header.Get("Location")
	to, err := a.url.Parse(location)
	switch {
	case location == "" || err != nil:
		return a.unusable("no response of this API: is base_url its address?")
	case to.Scheme == "https" && a.url.Scheme == "http" && to.Hostname() == a.url.Hostname():
		return a.unusable("a redirect from http to https: write base_url with https://")
	case !sameOrigin(to, a.url):
		return a.unusable(fmt.Sprintf("a redirect to another host, %s, where the API key is not sent: set base_url to the address of the API itself",
			a.clean(to.Scheme+"://"+to.Host, 100)))
	}
	return a.unusable(fmt.Sprintf("a redirect to %s: is base_url the address of the API?", a.clean(to.EscapedPath(), 100)))
}
