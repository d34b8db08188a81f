package page

import "time"

// People are the persons of a survey: who saw it, what they answered, and to whom it is not
// offered.
type People struct {
	// Shown, Dismissed and Responses are numbers of events, ShownTo is that of persons.
	Shown, ShownTo, Dismissed, Responses int64
	// Persons are those who did something last, and then others.
	Persons []Person
	// More is the number of persons that are not shown.
	More int
}

// Person is a person who sees surveys.
type Person struct {
	// Name is a distinct id of the person, Others are further ones.
	Name   string
	Others []string
	// Reasons say why the survey is not offered to the person; none when it is.
	Reasons []string
	// Deeds are what the person did with the survey, oldest first.
	Deeds []Deed
}

// Deed is what a person did with a survey.
type Deed struct {
	Text    string
	Time    time.Time
	Answers []GivenAnswer
}

// GivenAnswer is an answer to a question of a survey.
type GivenAnswer struct{ Question, Text string }

// Summary is how often the survey was shown and answered.
func (p People) Summary() string {
	if p.Shown+p.Dismissed+p.Responses == 0 {
		return "No app has shown it yet."
	}
	to := " to " + count(p.ShownTo, "person")
	if p.ShownTo != 1 {
		to = " to " + grouped(p.ShownTo) + " persons"
	}
	return "Shown " + count(p.Shown, "time") + to + ", dismissed " + count(p.Dismissed, "time") + ", " + count(p.Responses, "response")
}
