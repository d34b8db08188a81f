package review

import (
	"cmp"
	"fmt"
	"strings"
)

// sharedNames finds surveys that cannot be created because another one of their project has
// their name: the service refuses the second, and trims both. Those that exist already are
// its own affair.
func sharedNames(rule Rule, surveys []surveyFacts) []Finding {
	type key struct{ project, name string }
	first := map[key]surveyFacts{}
	var findings []Finding
	for _, survey := range surveys {
		name := key{survey.ParentID, strings.TrimSpace(survey.Name)}
		other, taken := first[name]
		if !taken {
			first[name] = survey
			continue
		}
		if survey.ID == "" || other.ID == "" {
			findings = append(findings, rule.finding(survey, fmt.Sprintf("%s has its name, and the service refuses a second survey of one name in a project",
				cmp.Or(other.Address, other.ID, "another survey"))))
		}
	}
	return findings
}
