// Package offer decides whether a survey is offered to a person, as far as the service decides
// it, and says in words why not. It knows neither stores nor HTTP, and nothing of the page that
// the person looks at: what conditions ask of it is decided there.
//
// The words for what holds for everybody are those of posthog-sync doctor --survey.
package offer
