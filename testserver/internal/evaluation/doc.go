// Package evaluation decides whether a feature flag is on for somebody, and which of its
// variants: what the hosted service answers to an app that asks for flags, and so who is
// offered a survey.
//
// It is a function of its arguments alone: the flags and cohorts of a project, what is
// known of the person, and the time. It keeps nothing, asks for nothing and never fails;
// what cannot be decided counts as no match, as on the service, and the reason says why.
//
// [Person.Partial] makes it decide as the SDKs do that evaluate flags by themselves: what
// they do not know of the person is not taken for absent, and the flag has no value.
package evaluation
