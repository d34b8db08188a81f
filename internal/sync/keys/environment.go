package keys

import (
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// environmentFile builds a file of environment variables.
type environmentFile struct {
	strings.Builder
	prefix string
}

// renderEnvironment renders environment variables for shells and for libraries that read .env files.
func renderEnvironment(surveys []Survey, prefix string, names []string) ([]byte, error) {
	f := environmentFile{prefix: prefix}
	f.WriteString("# Code " + notice + ". Do not edit: run it again.\n")

	for _, survey := range surveys {
		f.WriteString("\n# " + comment(survey.Title, survey.Name) + "\n")
		f.set(survey.ID, survey.Name, "id")
		if survey.PublicURL != "" {
			f.set(survey.PublicURL, survey.Name, "public", "url")
		}
		f.set(survey.RespondedKey(), survey.Name, "responded")
		for _, question := range survey.Questions {
			f.WriteString("\n# " + comment(question.Text, question.Name) + "\n")
			f.set(question.ID, survey.Name, question.Name, "id")
			f.set(question.Key(), survey.Name, question.Name, "key")
			f.set(string(question.Kind), survey.Name, question.Name, "type")

			if n := len(question.Scale); n > 0 {
				f.set(strconv.Itoa(question.Scale[0]), survey.Name, question.Name, "min")
				f.set(strconv.Itoa(question.Scale[n-1]), survey.Name, question.Name, "max")
			}

			if !question.IsChoice() {
				continue
			}
			choices, err := escape.EnvironmentJSON(question.Choices)
			if err != nil {
				return nil, err
			}
			f.line(choices, survey.Name, question.Name, "choices")
		}
	}

	f.WriteString(renderNameLines("# ", names))
	return []byte(f.String()), nil
}

// line writes a variable.
func (f *environmentFile) line(value string, words ...string) {
	f.WriteString(f.prefix + screaming(words...) + "=" + value + "\n")
}

// set writes a variable. If that is not possible, it writes a comment with the reason.
func (f *environmentFile) set(text string, words ...string) {
	if value, ok := escape.EnvironmentValue(text); ok {
		f.line(value, words...)
		return
	}
	f.WriteString("# " + f.prefix + screaming(words...) + ": shells and libraries would read this value in different ways.\n")
}
