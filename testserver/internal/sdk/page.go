package sdk

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
)

//go:embed templates
var templates embed.FS

//go:embed assets
var assets embed.FS

var parsed = template.Must(template.ParseFS(templates, "templates/*.html"))

// PagePolicy is the policy of all pages here, in the form of Content-Security-Policy: the page is of no
// origin, loads scripts of the server alone, and images of anywhere, since texts of surveys have
// them. The renderer and texts of surveys have styles in elements.
const PagePolicy = "sandbox allow-scripts allow-forms allow-popups; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src * data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

// SurveyPage is the page of a survey that takes answers.
type SurveyPage struct {
	// Address is that of the server, without a slash at its end.
	Address string
	// Name is the survey's name, Survey the survey as apps get it.
	Name   string
	Survey json.RawMessage
	// Token is that of the project.
	Token string
	// Language is that of the texts: empty for that of the browser.
	Language string
	// IsEmbedded is set for a page without a frame of its own, within another one.
	IsEmbedded bool
}

// settings are what the script of the page reads.
type settings struct {
	Host     string `json:"host"`
	Token    string `json:"token"`
	Language string `json:"language,omitempty"`
}

// Settings are what the script of the page reads.
func (p SurveyPage) Settings() any { return settings{p.Address, p.Token, p.Language} }

// HTML is the page.
func (p SurveyPage) HTML() ([]byte, error) { return execute("survey.html", p) }

// Notice is the page in place of a survey that takes no answers.
type Notice struct{ Title, Text string }

// HTML is the page.
func (n Notice) HTML() ([]byte, error) { return execute("notice.html", n) }

func execute(name string, of any) ([]byte, error) {
	var b bytes.Buffer
	err := parsed.ExecuteTemplate(&b, name, of)
	return b.Bytes(), err
}

// Assets are the script and the stylesheet of the page.
func Assets() fs.FS {
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return files
}
