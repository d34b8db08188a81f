package testserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func ExampleNew() {
	server, err := testserver.New(testserver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener := httptest.NewServer(server)
	defer listener.Close()

	url := listener.URL + "/api/projects/" + testserver.DefaultProjectID + "/surveys/"
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"name": "NPS", "type": "popover"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	for _, r := range server.Journal() {
		fmt.Println(r.Operation, r.Status, string(r.Body))
	}
	// Output:
	// 201 Created
	// surveys_create 201 {"name":"NPS","type":"popover"}
}

// A survey targets persons with a property. The test creates such a person, answers as the app would, and waits for
// the answer.
func ExampleServer_WaitEvent() {
	server, err := testserver.New(testserver.Options{Profile: testserver.Hosted})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener := httptest.NewServer(server)
	defer listener.Close()

	survey, err := server.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := server.Person(testserver.Object{"distinct_ids": []string{"ann"}, "properties": testserver.Object{"plan": "pro"}}); err != nil {
		fmt.Println(err)
		return
	}

	// In a real test, a browser with posthog-js sends this.
	sent := fmt.Sprintf(`{"api_key": %q, "event": "survey sent", "distinct_id": "ann",
		"properties": {"$survey_id": %q, "$survey_response_why": "It is fast."}}`, server.ProjectToken(testserver.DefaultProjectID), survey["id"])
	response, err := http.Post(listener.URL+"/e/", "application/json", strings.NewReader(sent))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	event, err := server.WaitEvent(ctx, testserver.EventFilter{Event: "survey sent", DistinctID: "ann"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(event.DistinctID, "said:", event.Answer("why"))
	// Output:
	// ann said: It is fast.
}
