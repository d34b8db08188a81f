package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// awaitApproval refuses an edit of a flag in an organization where such edits wait for an
// approval: the first asks for it, those after it meet the one that waits. The service's
// sentences are not known.
func awaitApproval(st *store.Store, o *store.Organization, f *store.Flag) *field.Failure {
	switch {
	case !o.Has(FeatureFlagApprovals):
		return nil
	case f.AwaitsApproval:
		return conflict("change_request_pending", "A change of this feature flag waits for approval already.")
	}

	waiting := *f
	waiting.AwaitsApproval = true
	st.ReplaceFlag(&waiting)
	return conflict("approval_required", "This change of a feature flag needs an approval.")
}

// conflict is a 409: the state of the object does not allow the request.
func conflict(code, detail string) *field.Failure {
	return &field.Failure{Status: http.StatusConflict, Kind: "invalid_request", Code: code, Detail: detail}
}
