// Package targeting has the filters of feature flags, by which the hosted service decides who
// sees a survey: what it refuses of them, and the form in which it stores them.
package targeting
