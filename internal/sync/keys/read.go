package keys

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// WithoutID is a question that code cannot refer to, because it has no ID or shares an earlier question's
// ID.
type WithoutID struct {
	Survey, Question string
	// Position is the question's position in the survey, starting at 1.
	Position int
}

// Read reads a source's surveys. names contains the question names in a configuration, and may be nil. Read
// does not set names in code. See [Assign].
func Read(objects []source.Object, names ConfigurationNames) (surveys []Survey, without []WithoutID, err error) {
	for _, object := range objects {
		if object.Kind != source.Survey {
			continue
		}
		if object.Stated != nil {
			return nil, nil, fmt.Errorf("survey %q does not have IDs before a sync. Use the source live instead", object.Name)
		}
		if object.ID == "" {
			return nil, nil, fmt.Errorf("survey %q does not have an ID yet. Apply the configuration first", object.Name)
		}

		s := Survey{ID: object.ID, Title: object.Name, label: parseLabel(object.Address)}
		s.URL, s.PublicURL = surveyLinks(object)
		s.IsRecurring = isRecurring(object)
		s.created, _ = source.Plain(object.Attributes["created_at"]).(string)
		if s.Questions, err = readQuestions(object); err != nil {
			return nil, nil, err
		}
		names.give(object.Address, s.Questions)

		isSeen := map[string]bool{"": true}
		s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool {
			isDuplicate := isSeen[q.ID]
			if isDuplicate {
				without = append(without, WithoutID{object.Name, q.Text, q.Position})
			}
			isSeen[q.ID] = true
			return isDuplicate
		})
		surveys = append(surveys, s)
	}
	return surveys, without, nil
}

// isRecurring reports whether a survey has iterations.
func isRecurring(object source.Object) bool {
	iterations, err := strconv.ParseFloat(fmt.Sprint(source.Plain(object.Attributes["iteration_count"])), 64)
	return err == nil && iterations > 0
}

// surveyLinks returns a survey's URLs, if the source contains them or PostHog's URL.
func surveyLinks(object source.Object) (page, public string) {
	text := func(name string) types.String {
		value, _ := source.Plain(object.Attributes[name]).(string)
		return types.StringValue(value)
	}
	if object.Service == "" {
		return text("url").ValueString(), text("public_url").ValueString()
	}

	fields := survey.Fields{ID: types.StringValue(object.ID), ProjectID: types.StringValue(object.ParentID), Type: text("type")}.WithLinks(object.Service)
	return fields.URL.ValueString(), fields.PublicURL.ValueString()
}

// attributes contains the attributes of a question that code needs, but a review does not.
type attributes struct {
	Display         string                                `json:"display"`
	LowerBoundLabel string                                `json:"lower_bound_label"`
	UpperBoundLabel string                                `json:"upper_bound_label"`
	Translations    map[string]map[string]json.RawMessage `json:"translations"`
}

// readQuestions returns the questions of a survey, including questions without an ID.
func readQuestions(object source.Object) ([]Question, error) {
	read, err := review.Questions(object)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(source.Shown(object.Attributes["questions"]))
	if err != nil {
		return nil, fmt.Errorf("survey %q: questions: %w", object.Name, err)
	}
	var more []attributes
	if err := json.Unmarshal(raw, &more); err != nil {
		return nil, fmt.Errorf("survey %q: questions do not have the format of this provider: %w", object.Name, err)
	}

	graph := review.Flow(read)
	questions := make([]Question, len(read))
	for i, q := range read {
		questions[i] = Question{
			ID: q.ID, Text: q.Text, Kind: flow.Kind(q.Type), Position: i + 1, Description: q.Description, Optional: q.Optional, Link: q.Link,
			LowerLabel: more[i].LowerBoundLabel, UpperLabel: more[i].UpperBoundLabel,
		}
		questions[i].Next = groupSteps(graph, i)
		switch {
		case questions[i].Kind == flow.Rating:
			questions[i].Scale = listScale(graph[i].Scale)
		case questions[i].IsChoice():
			questions[i].setChoices(q.Choices, q.OpenChoice, more[i].Translations)
		}
	}
	return questions, nil
}

// listScale returns the possible answers of a rating, as the SDKs send them. A scale of 10 starts at 0, and
// other scales start at 1.
func listScale(scale int) []int {
	if scale < 1 || scale > 100 {
		return nil
	}
	first := 1
	if scale == 10 {
		first = 0
	}
	var answers []int
	for answer := first; answer <= scale; answer++ {
		answers = append(answers, answer)
	}
	return answers
}

// setChoices sets the choices. If the last choice is open, its label is never an answer, because the SDKs
// send the respondent's text instead.
func (q *Question) setChoices(choices []string, hasOpenChoice bool, translations map[string]map[string]json.RawMessage) {
	fixed := func(choices []string) []string {
		if hasOpenChoice && len(choices) > 0 {
			choices = choices[:len(choices)-1]
		}
		return distinct(choices)
	}
	q.Choices = fixed(choices)
	if hasOpenChoice && len(choices) > 0 {
		q.OpenChoice = &choices[len(choices)-1]
	}

	for _, language := range slices.Sorted(maps.Keys(translations)) {
		var translated []string
		if json.Unmarshal(translations[language]["choices"], &translated) == nil && len(translated) > 0 {
			q.Translated = append(q.Translated, Translation{language, fixed(translated)})
		}
	}
}

// groupSteps groups the answers to a question by their next question.
func groupSteps(graph []flow.Question, i int) []Step {
	var steps []Step
	for _, step := range flow.Steps(graph, i) {
		position := step.To + 1
		if step.To == flow.End {
			position = 0
		}

		when := answerText(graph[i], step.When)
		if same := slices.IndexFunc(steps, func(s Step) bool { return s.To == position && s.NoEnd == step.NoEnd }); same >= 0 {
			steps[same].When = append(steps[same].When, when)
			continue
		}
		steps = append(steps, Step{When: []string{when}, To: position, NoEnd: step.NoEnd})
	}
	if len(steps) == 1 {
		steps[0].When = nil
	}
	return steps
}

// answerText returns the answer for a response key as respondents see it: a choice's text, or the key
// itself.
func answerText(q flow.Question, key string) string {
	choice, err := strconv.Atoi(key)
	if q.Kind != flow.SingleChoice || err != nil || choice < 0 || choice >= len(q.ChoiceTexts) {
		return key
	}
	return q.ChoiceTexts[choice]
}

// ConfigurationNames maps resource addresses to the question names in a configuration. A question name is
// an attribute name in the argument of the questions function.
type ConfigurationNames map[string][]namedQuestion

// namedQuestion is a question in a configuration. Its text is empty if the text is not a literal.
type namedQuestion struct{ name, text string }

// ReadConfigurationNames reads the names from the root module in a directory. It skips files that it
// cannot parse, because the surveys come from a state, which does not depend on these files.
func ReadConfigurationNames(dir string) (ConfigurationNames, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}

	names := ConfigurationNames{}
	for _, entry := range entries {
		if entry.IsDir() || !code.IsConfiguration(entry.Name()) || code.IsJSON(entry.Name()) {
			continue
		}
		source, err := code.ReadSource(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		file, diags := hclsyntax.ParseConfig(source, entry.Name(), hcl.InitialPos)
		if diags.HasErrors() {
			continue
		}
		if body, ok := file.Body.(*hclsyntax.Body); ok {
			names.add(body)
		}
	}
	return names, nil
}

// add adds the names of the resources in a file.
func (n ConfigurationNames) add(body *hclsyntax.Body) {
	for _, block := range body.Blocks {
		if block.Type != "resource" || len(block.Labels) != 2 || block.Labels[0] != "posthog_survey" {
			continue
		}
		attribute := block.Body.Attributes["questions"]
		if attribute == nil {
			continue
		}
		call, ok := attribute.Expr.(*hclsyntax.FunctionCallExpr)
		if !ok || call.Name != "provider::posthog::questions" || len(call.Args) != 1 {
			continue
		}
		if list, ok := call.Args[0].(*hclsyntax.TupleConsExpr); ok {
			n["posthog_survey."+block.Labels[1]] = readNames(list)
		}
	}
}

// readNames reads the names from a list of questions.
func readNames(list *hclsyntax.TupleConsExpr) []namedQuestion {
	questions := make([]namedQuestion, len(list.Exprs))
	for i, element := range list.Exprs {
		object, ok := element.(*hclsyntax.ObjectConsExpr)
		if !ok {
			continue
		}
		for _, item := range object.Items {
			switch hcl.ExprAsKeyword(item.KeyExpr) {
			case "name":
				questions[i].name = literalText(item.ValueExpr)
			case "question":
				questions[i].text = literalText(item.ValueExpr)
			}
		}
	}
	return questions
}

// literalText returns the text of a string literal, or an empty string for other expressions.
func literalText(expression hclsyntax.Expression) string {
	value, diags := expression.Value(nil)
	if diags.HasErrors() || value.IsNull() || !value.IsKnown() || !value.Type().Equals(cty.String) {
		return ""
	}
	return value.AsString()
}

// give assigns the names in the configuration to a resource's questions. The configuration may have changed
// since the last apply. Therefore, give matches questions by their literal texts, or by position if the
// text is not a literal.
func (n ConfigurationNames) give(address string, questions []Question) {
	list := n[address]
	for i := range questions {
		for place, configured := range list {
			isSame := configured.text == questions[i].Text
			if configured.text == "" {
				isSame = place == i && len(list) == len(questions)
			}
			if isSame {
				questions[i].given = configured.name
				break
			}
		}
	}
}

// resourceLabel matches the label in a survey's address, and the optional index after it.
var resourceLabel = regexp.MustCompile(`(?:^|\.)posthog_survey\.([^.\[\]"]+)(\[.*\])?$`)

// parseLabel derives a name from a survey's address: the label, and the index of the instance if there is
// one. It returns an empty string for objects without an address.
func parseLabel(address string) string {
	parts := resourceLabel.FindStringSubmatch(address)
	if parts == nil {
		return ""
	}
	return parts[1] + " " + parts[2]
}
