package keys

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// document is the JSON format of a file. Its schema is schemas/posthog-sync-keys.schema.json.
type document struct {
	Comment string           `json:"comment"`
	Format  int              `json:"format"`
	Surveys []surveyDocument `json:"surveys"`
}

type surveyDocument struct {
	Name         string             `json:"name"`
	Title        string             `json:"title"`
	ID           string             `json:"id"`
	URL          string             `json:"url,omitempty"`
	PublicURL    string             `json:"public_url,omitempty"`
	RespondedKey string             `json:"responded_key"`
	IsRecurring  bool               `json:"recurring"`
	Questions    []questionDocument `json:"questions"`
}

type questionDocument struct {
	Name         string        `json:"name"`
	Question     string        `json:"question"`
	ID           string        `json:"id"`
	Key          string        `json:"key"`
	Type         flow.Kind     `json:"type"`
	Optional     bool          `json:"optional"`
	Scale        *ends         `json:"scale,omitempty"`
	Choices      []string      `json:"choices,omitempty"`
	OpenChoice   *string       `json:"open_choice,omitempty"`
	Translations []Translation `json:"translations,omitempty"`
}

// ends contains the lowest and the highest answer of a rating.
type ends struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// documentFormat is the version of the JSON format.
const documentFormat = 1

// renderJSON renders a document for programs.
func renderJSON(surveys []Survey) ([]byte, error) {
	rendered := document{Comment: "Code " + notice + ". Do not edit: run it again.", Format: documentFormat, Surveys: []surveyDocument{}}
	for _, survey := range surveys {
		questions := make([]questionDocument, len(survey.Questions))
		for i, q := range survey.Questions {
			questions[i] = questionDocument{
				Name: q.Name, Question: q.Text, ID: q.ID, Key: q.Key(), Type: q.Kind, Optional: q.Optional,
				Choices: q.Choices, OpenChoice: q.OpenChoice, Translations: q.Translated,
			}
			if last := len(q.Scale) - 1; last >= 0 {
				questions[i].Scale = &ends{q.Scale[0], q.Scale[last]}
			}
		}
		rendered.Surveys = append(rendered.Surveys, surveyDocument{
			Name: survey.Name, Title: survey.Title, ID: survey.ID, URL: survey.URL, PublicURL: survey.PublicURL,
			RespondedKey: survey.RespondedKey(), IsRecurring: survey.IsRecurring, Questions: questions,
		})
	}

	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(rendered); err != nil {
		return nil, err
	}
	return escape.JSON(b.Bytes()), nil
}

// readJSONNames reads the names from a document.
func readJSONNames(file string) (Names, error) {
	var read document
	if err := json.Unmarshal([]byte(file), &read); err != nil {
		return nil, fmt.Errorf("it is not valid JSON: %w", err)
	}
	if read.Format != documentFormat {
		return nil, fmt.Errorf("its format is %d, but this version supports only %d", read.Format, documentFormat)
	}

	names := Names{}
	for _, survey := range read.Surveys {
		questions := map[string]string{}
		for _, question := range survey.Questions {
			if !isName(question.Name) {
				return nil, errors.New("it contains a name that is not in lower snake case")
			}
			questions[question.ID] = question.Name
		}
		names[survey.ID] = SurveyNames{survey.Name, questions}
	}
	return names, nil
}
