// Package doctor checks what the other verbs and the provider need, and why a survey is not
// shown. Each check gives a finding: a code with data, which the caller words. It knows no
// command line.
package doctor

import (
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Result is the result of a check.
type Result string

// The results of checks.
const (
	OK      Result = "ok"
	Warning Result = "warning"
	Failed  Result = "failed"
)

// Finding is the result of one check. Beside its first three fields only those are set that
// its words need.
type Finding struct {
	Result Result
	// Check names what was checked.
	Check string
	Code  Code
	// Name is a scope, a feature flag, a variant, a path or a product, Value another text.
	Name, Value string
	// Oldest is the oldest version that is good enough.
	Oldest string
	// Time is a date of the survey, Duration the difference between two clocks, or the largest
	// one that is allowed.
	Time     time.Time
	Duration time.Duration
	// Count is a number of objects, requests or responses, Limit the largest one.
	Count, Limit int64
	// Number is how many responses the survey has.
	Number responses.Number
	// Needs are the conditions that have to be met.
	Needs Conditions
	// Err is what the service, or a program, said.
	Err error
}

// findings collects the results of checks.
type findings []Finding

func (f *findings) ok(check string, code Code, data ...Finding) { f.add(OK, check, code, data) }

func (f *findings) warn(check string, code Code, data ...Finding) { f.add(Warning, check, code, data) }

func (f *findings) fail(check string, code Code, data ...Finding) { f.add(Failed, check, code, data) }

func (f *findings) add(result Result, check string, code Code, data []Finding) {
	var finding Finding
	if len(data) > 0 {
		finding = data[0]
	}
	finding.Result, finding.Check, finding.Code = result, check, code
	*f = append(*f, finding)
}
