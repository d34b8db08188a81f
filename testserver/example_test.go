package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

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
