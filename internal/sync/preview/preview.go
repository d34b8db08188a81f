// Package preview shows surveys as respondents see them: in a browser, with the renderer of
// posthog-js, next to the drawing of the flow. It makes no requests, and its pages make
// requests to their own server only, until somebody asks them for the images of a survey.
package preview

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Survey is a survey that can be shown.
type Survey struct {
	// Name is the survey's name, Label a word for files and addresses that no other
	// survey of a preview has.
	Name, Label string
	// Address is that of the resource in Terraform; empty for a live survey.
	Address string
	// Type is where the survey is shown: popover, widget, api or external_survey.
	Type string
	// Notes say in what the preview differs from what respondents see.
	Notes []string
	// Languages are those that any text of the survey is translated into, sorted.
	Languages []string
	// Origins are those of the images that its texts have from other servers, sorted.
	Origins []string

	// wire is the survey in the form for the renderer.
	wire map[string]any
	// flow is the branching.
	flow []flow.Question
}

// Surveys are the surveys of a side, in their order. Label names a survey in files.
func Surveys(objects []side.Object, label func(side.Object) string) ([]Survey, error) {
	var surveys []Survey
	taken := map[string]bool{}

	for _, object := range objects {
		if object.Kind != side.Survey {
			continue
		}

		questions, err := review.Questions(object)
		if err != nil {
			return nil, err
		}
		s := Survey{Name: object.Name, Address: object.Address, flow: review.Flow(questions), wire: wire(object)}
		s.Type, _ = object.Attributes["type"].(string)
		s.Label = unique(label(object), taken)
		s.Notes, s.Languages, s.Origins = notes(object, s.wire), languages(s.wire), imageOrigins(s.wire)
		surveys = append(surveys, s)
	}
	return surveys, nil
}

// unique adds a number to a label that is taken.
func unique(label string, taken map[string]bool) string {
	free := label
	// File systems that ignore case take two spellings for one file.
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s_%d", label, n)
	}
	taken[strings.ToLower(free)] = true
	return free
}

// shown are the attributes of a survey that the renderer needs.
var shown = []string{"type", "questions", "appearance", "translations"}

// Size is the number of questions.
func (s Survey) Size() int { return len(s.flow) }
