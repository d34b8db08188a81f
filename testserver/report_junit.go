package testserver

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
)

// The JUnit XML format, which CI systems show.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
		Output   string      `xml:"system-out,omitempty"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Skipped *junitMessage `xml:"skipped,omitempty"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
	}
)

// JSON is the report as a JSON document.
func (r *RunReport) JSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return b.Bytes(), nil
}

// JUnit is the report as JUnit XML: a test for each operation, skipped if it was not
// called, and a failed one for each finding.
func (r *RunReport) JUnit() ([]byte, error) {
	suite := junitSuite{Name: "posthog-testserver"}
	for _, op := range r.Operations {
		test := junitCase{Class: "operations", Name: op.Operation}
		if op.Requests == 0 {
			test.Skipped = &junitMessage{"no request reached it"}
			suite.Skipped++
		} else {
			test.Output = op.statuses()
		}
		suite.Cases = append(suite.Cases, test)
	}

	for _, f := range r.UndocumentedFields {
		suite.fail("undocumented fields", f.Operation+" "+f.Path, f.String())
	}
	for _, f := range r.UnusedFaults {
		suite.fail("faults that never hit", string(f.Rule), f.String())
	}
	for _, c := range r.CutAnswers {
		suite.fail("answers cut off", c.Operation+" "+c.SurveyName, c.String())
	}
	suite.Tests = len(suite.Cases)

	out, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return []byte(xml.Header + strings.TrimSpace(string(out)) + "\n"), nil
}

func (s *junitSuite) fail(class, name, message string) {
	s.Cases = append(s.Cases, junitCase{Class: class, Name: name, Failure: &junitMessage{message}})
	s.Failures++
}
