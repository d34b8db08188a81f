package testserver

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveypage"
)

// sdkSurveyPage is the name of the page of an external survey, in the journal and in faults.
const sdkSurveyPage = "sdk_survey_page"

// addSurveyPage adds the page that the service hosts for an external survey.
func (rs *routes) addSurveyPage() {
	op := api.Operation{ID: sdkSurveyPage, Method: http.MethodGet, Path: "/external_surveys/{survey}/"}
	rs.add(&endpoint{Operation: op, deliver: serveSurveyPage, isTokenless: true})
}

// The pages in place of a survey. One that is there and takes no answers is told from one that never
// was, as the service tells them apart.
var (
	misnamedSurvey = surveypage.Notice{Title: "Invalid request", Text: "The requested survey is not available."}
	unknownSurvey  = surveypage.Notice{Title: "Survey not available", Text: "The requested survey is not available."}
	quietSurvey    = surveypage.Notice{
		Title: "Feels quiet in here",
		Text:  "This survey is not taking answers: it is not an external one, has not been launched, or has ended.",
	}
)

// serveSurveyPage serves the page of an external survey.
func serveSurveyPage(x *exchange) (response, *field.Failure) {
	id := x.delivery.value("survey")
	if _, err := uuid.Parse(id); err != nil {
		return surveyNotice(http.StatusBadRequest, misnamedSurvey)
	}
	found, err := findSurvey(x.store, id)
	if err != nil {
		return surveyNotice(http.StatusNotFound, unknownSurvey)
	}
	if !takesAnswersOnPage(found, x.now()) {
		return surveyNotice(http.StatusNotFound, quietSurvey)
	}

	query := x.request.URL.Query()
	shown := surveypage.Page{
		Address: addressOf(x.request), Name: found.Name, Survey: deliveredSurvey(x.encoding(), found).JSON(),
		Token: x.contents.tokenOf(x.store.Projects.Get(found.Project)), IsEmbedded: query.Get("embed") == "true",
	}
	if code := languageCode(query.Get("display_language")); languageForm.MatchString(code) {
		shown.Language = code
	}
	html, err := shown.HTML()
	if err != nil {
		return response{}, field.ServerError()
	}

	header := surveyPageHeader()
	if string(found.HostedValue("enable_iframe_embedding")) != "true" {
		header.Set("X-Frame-Options", "DENY")
	}
	return response{status: http.StatusOK, contentType: htmlContent, header: header, body: html}, nil
}

// takesAnswersOnPage reports whether a survey is an external one that runs.
func takesAnswersOnPage(s *store.Survey, now time.Time) bool {
	return s.IsRunning() && s.Text(store.SurveyTable, "type") == string(api.ExternalSurvey) && !dateOf(s, "start_date").After(now)
}

var htmlContent = []string{"text/html; charset=utf-8"}

// surveyPageHeader has the fields that the page of a survey and the pages in its place have. The
// service lets browsers keep the page for five minutes; here, whoever applies a change wants to see it.
func surveyPageHeader() http.Header {
	return http.Header{
		"Cache-Control":           {"no-cache"},
		"Content-Security-Policy": {surveypage.Policy}, "Referrer-Policy": {"no-referrer"}, "X-Content-Type-Options": {"nosniff"},
	}
}

// surveyNotice is a page in place of a survey.
func surveyNotice(status int, notice surveypage.Notice) (response, *field.Failure) {
	html, err := notice.HTML()
	if err != nil {
		return response{}, field.ServerError()
	}
	header := surveyPageHeader()
	header.Set("X-Frame-Options", "DENY")
	return response{status: status, contentType: htmlContent, header: header, body: html}, nil
}
