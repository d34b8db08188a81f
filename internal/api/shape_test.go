package api

import (
	"net/http"
	"testing"
)

func TestRequestShape(t *testing.T) {
	t.Parallel()
	create := RequestShape("surveys_create")
	if create == nil || create.Members["questions"] == nil {
		t.Fatal("the shape of a survey does not contain questions")
	}
	question := create.Members["questions"].Items
	if _, known := question.Members["buttonText"]; !known {
		t.Errorf("the shape of a question does not contain buttonText: %v", question.Members)
	}
	if _, known := question.Members["branching"].Members["index"]; !known {
		t.Error("the shape of branching does not contain index")
	}
	if _, known := question.Members["validation"].Items.Members["value"]; !known {
		t.Error("the shape of a validation does not contain value")
	}
	for _, open := range []*Shape{create.Members["appearance"], create.Members["type"], question.Members["branching"].Members["responseValues"]} {
		if open != nil {
			t.Errorf("got shape %v for a field that the document does not define", open)
		}
	}
	if _, known := create.Members["created_by"]; known {
		t.Error("the request to create a survey must not contain created_by, which is read-only")
	}
	read := ResponseShape("surveys_create")
	if read == nil || !has(read, "created_at") || has(create, "created_at") {
		t.Error("created_at must be in the response to a create, and not in the request")
	}
	if ResponseShape("surveys_destroy") != nil {
		t.Error("the response to a deletion must not have a body")
	}

	if RequestShape("surveys_list") != nil || RequestShape("nothing") != nil {
		t.Error("RequestShape returned a shape for an operation without a request body")
	}

	// Operations with a body are writes, although some writes have no body.
	for _, op := range AllOperations() {
		if shape := RequestShape(op.ID); shape != nil && (op.Method == http.MethodGet || op.Method == http.MethodDelete) {
			t.Errorf("%s is a GET or DELETE operation, but has a request body", op.ID)
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, op := range AllOperations() {
		if op.Status < 200 || op.Status > 299 {
			t.Errorf("%s: status %d is not a success status", op.ID, op.Status)
		}
	}
}

func has(shape *Shape, name string) bool {
	_, ok := shape.Members[name]
	return ok
}
