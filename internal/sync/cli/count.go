package cli

import "github.com/surveys-as-code/terraform-provider-posthog/internal/sync/report"

// count formats a number with a noun in singular or plural.
func count[N int | int64](n N, noun string) string { return report.Count(n, noun) }
