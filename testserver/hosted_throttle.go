package testserver

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
)

// keyRates are the limits of the service on the requests of one API key.
var keyRates = []ratelimit.Rate{
	{Requests: 480, Per: time.Minute},
	{Requests: 4800, Per: time.Hour},
}

// checkThrottle refuses a request above the rate limits, if they are switched on.
// The service returns the wait in the message and in a header.
func (x *exchange) checkThrottle() *field.Failure {
	limited := x.organization != nil && x.organization.Has(FeatureThrottling)
	if !x.throttling && !limited {
		return nil
	}
	return throttled(x.contents.throttle.Wait(x.key.Token, x.now()))
}

// throttled is the 429 for a request that has to wait; nil if it need not.
func throttled(wait time.Duration) *field.Failure {
	if wait <= 0 {
		return nil
	}
	f := field.FailureFor(http.StatusTooManyRequests)
	seconds := int(math.Ceil(wait.Seconds()))
	unit := "seconds"
	if seconds == 1 {
		unit = "second"
	}
	f.RetryAfter = strconv.Itoa(seconds)
	f.Detail += fmt.Sprintf(" Expected available in %d %s.", seconds, unit)
	return f
}
