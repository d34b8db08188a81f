package api

import (
	"net/http"
	"testing"
)

func TestRequestShape(t *testing.T) {
	t.Parallel()
	create := RequestShape("surveys_create")
	if create == nil || create.Members["questions"] == nil {
		t.Fatal("a survey has no questions")
	}
	question := create.Members["questions"].Items
	if _, known := question.Members["buttonText"]; !known {
		t.Errorf("a question has no buttonText: %v", question.Members)
	}
	if _, known := question.Members["branching"].Members["index"]; !known {
		t.Error("branching has no index")
	}
	if _, known := question.Members["validation"].Items.Members["value"]; !known {
		t.Error("a validation has no value")
	}
	for _, open := range []*Shape{create.Members["appearance"], create.Members["type"], question.Members["branching"].Members["responseValues"]} {
		if open != nil {
			t.Errorf("the document leaves it open: %v", open)
		}
	}
	if _, known := create.Members["created_by"]; known {
		t.Error("created_by cannot be written")
	}
	read := ResponseShape("surveys_create")
	if read == nil || !has(read, "created_at") || has(create, "created_at") {
		t.Error("the response of a create has created_at, and its request has not")
	}
	if ResponseShape("surveys_destroy") != nil {
		t.Error("a deletion has no response body")
	}

	if RequestShape("surveys_list") != nil || RequestShape("nothing") != nil {
		t.Error("there is no body")
	}

	// Operations with a body are writes, although some writes have no body.
	for _, op := range AllOperations() {
		if shape := RequestShape(op.ID); shape != nil && (op.Method == http.MethodGet || op.Method == http.MethodDelete) {
			t.Errorf("%s reads and has a body", op.ID)
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, op := range AllOperations() {
		if op.Status < 200 || op.Status > 299 {
			t.Errorf("%s: status %d is no success", op.ID, op.Status)
		}
	}
}

func has(shape *Shape, name string) bool {
	_, ok := shape.Members[name]
	return ok
}
