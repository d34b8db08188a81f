package identity

import "fmt"

// Returned is a question in a configuration or file that was deleted in PostHog. The next write adds
// it to the survey again.
type Returned struct {
	// Position is the question's index in the configuration or file, and Text its text.
	Position int    `json:"index"`
	Text     string `json:"question"`
	// OldID is the ID that the question had, and OldText its latest text in PostHog.
	OldID   string `json:"old_id"`
	OldText string `json:"old_question"`
	// Before is the maximum number of answers under the old ID, or nil if it is unknown.
	Before *int64 `json:"answers_before"`
	// IsReattached is set if the question gets its old ID again.
	IsReattached bool `json:"reattached"`
}

// String describes the question, and what happens to its earlier answers.
func (r Returned) String() string {
	question := fmt.Sprintf("questions[%d] %s", r.Position, Excerpt(r.Text))
	if r.IsReattached {
		return fmt.Sprintf("%s: PostHog no longer contains the question %s with the ID %q. It returns with that ID, which reattaches its answers (%s). "+
			"If it is a different question, set a new ID for it, such as a new UUID.", question, Excerpt(r.OldText), r.OldID, answers(r.Before, "at most "))
	}
	return fmt.Sprintf("%s: PostHog no longer contains the question %s with the ID %q. It returns with a new ID, and its earlier answers stay under the old one (%s). "+
		"If it is the same question, set its ID to %q.", question, Excerpt(r.OldText), r.OldID, answers(r.Before, "at most "), r.OldID)
}
