package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// awaitApproval refuses an edit of a flag in an organization where such edits wait for an
// approval: the first asks for it, those after it meet the one that waits. The service's
// sentences are not known.
func (x *exchange) awaitApproval(f *featureFlag) *field.Failure {
	switch {
	case !x.organization.has(FeatureFlagApprovals) || x.organization.has(FeatureSurveyFlagsExempt) && x.server.store.isOfSurvey(f.id):
		return nil
	case f.awaitsApproval:
		return conflict("change_request_pending", "A change of this feature flag waits for approval already.")
	}

	waiting := *f
	waiting.awaitsApproval = true
	x.server.store.replaceFlag(&waiting)
	return conflict("approval_required", "This change of a feature flag needs an approval.")
}

// conflict is a 409: the state of the object does not allow the request.
func conflict(code, detail string) *field.Failure {
	return &field.Failure{Status: http.StatusConflict, Kind: "invalid_request", Code: code, Detail: detail}
}

// isOfSurvey reports whether a flag is the targeting flag or the internal flag of a survey.
func (st *store) isOfSurvey(id int64) bool {
	for _, s := range st.surveys {
		if s.targeting == id || s.internal == id {
			return true
		}
	}
	return false
}
