package check

import (
	"math/big"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// scales are the scales that SDKs can show.
var scales = []int{2, 3, 5, 7, 10}

// checkRating checks the scale of a rating, and whether the display supports it.
func checkRating(p location, q survey.Question, found *Findings) {
	if q.Type.ValueString() != string(api.Rating) || q.Scale.IsUnknown() {
		return
	}
	steps := scaleOf(q)
	show := q.Display.ValueString()

	switch {
	case q.Scale.IsNull():
		found.warnf(p.attribute("scale"), "Missing scale", "is not set. It is the number of steps: 2, 3, 5, 7 or 10.")
		return
	case !slices.Contains(scales, steps):
		found.errorf(p.attribute("scale"), "Unknown scale", "is %s. It must be 2 (thumbs), 3, 5, 7 or 10 (answers from 0 to 10).", q.Scale.ValueBigFloat().Text('g', 10))
		return
	case show == string(api.Emoji) && steps > 5:
		found.warnf(p.attribute("display"), "Emoji on a long scale", `is "emoji", which is made for scales of 2, 3 and 5, and scale is %d.`, steps)
	case show == string(api.Number) && steps == 2:
		found.warnf(p.attribute("display"), "Thumbs displayed as numbers", `is "number", but a scale of 2 is thumbs up and down: "emoji".`)
	}

	if q.IsNPSQuestion.ValueBool() && steps != 10 {
		found.warnf(p.attribute("is_nps_question"), "is_nps_question without a scale of 10", "is true, and scale is %d. A net promoter score has a scale of 10.", steps)
	}
}

// scaleOf is the scale as an integer, 0 when it is none.
func scaleOf(q survey.Question) int {
	if !attribute.IsKnown(q.Scale) {
		return 0
	}
	steps, accuracy := q.Scale.ValueBigFloat().Int64()
	if accuracy != big.Exact || steps != int64(int(steps)) {
		return 0
	}
	return int(steps)
}
