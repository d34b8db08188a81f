package hcledit

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

const idKey = "id"

// withID are the versions of a question that the code has to identify: one that a plan takes
// for another, or one of several with one type and text, of which any was edited or moved.
// Without ids, a plan would distinguish them by their indexes.
func (q *questionList) withID(id string, v Versions) Versions {
	text, isText := object(v.Live)[idKey].(string)
	stated := objectOf(q.list.exprs[q.code.at(id)])
	if !isText || text == "" || stated == nil || objectFields(stated).find(idKey) >= 0 {
		return v
	}
	if alike := q.alike(id); !slices.Contains(q.ids, text) && (len(alike) < 2 || !q.isDisturbed(alike)) {
		return Versions{v.Applied, v.Code, withKey(v.Live, idKey, object(v.Code)[idKey])}
	}
	return Versions{withKey(v.Applied, idKey, nil), withKey(v.Code, idKey, nil), v.Live}
}

// alike are the live questions of the type and the text of one, itself among them.
func (q *questionList) alike(id string) []string {
	var ids []string
	for _, other := range q.live.ids {
		if isAlike(q.live.get(other), q.live.get(id)) {
			ids = append(ids, other)
		}
	}
	return ids
}

// isAlike reports whether two questions have one type and one text.
func isAlike(a, b map[string]any) bool {
	return jsonvalue.Equal(a["type"], b["type"]) && jsonvalue.Equal(a[questionKey], b[questionKey])
}

// isDisturbed reports whether any of some questions is new, was edited, or was moved past
// another one of them.
func (q *questionList) isDisturbed(ids []string) bool {
	for _, id := range ids {
		if !q.code.has(id) || !q.applied.has(id) || !q.isAsApplied(id) {
			return true
		}
	}
	before := slices.Clone(ids)
	slices.SortFunc(before, func(a, b string) int { return q.code.at(a) - q.code.at(b) })
	return !slices.Equal(before, ids)
}
