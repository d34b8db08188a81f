// Package surveypage is the page that the service hosts for an external survey: the frame in which
// posthog-js shows it, and the page in its place when there is nothing to answer. It knows nothing
// of the store; who gets which page is decided elsewhere.
package surveypage
