package diagnose

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Terraform shows one of the warnings of one title, so warnings of two objects have two
// titles.
func TestTitlesOfWarningsNameTheObject(t *testing.T) {
	t.Parallel()
	named, numbered, unknown := Attempt{Noun: "survey", Name: "NPS", ID: "7"}, Attempt{Noun: "import app", ID: "7"}, Attempt{Noun: "survey"}
	assert.Equal(t, `The response lacks attributes: survey "NPS"`, named.MissingFields([]string{"x"}).Summary())
	assert.Equal(t, "The response lacks attributes: import app 7", numbered.MissingFields([]string{"x"}).Summary())
	assert.Equal(t, "The response has another shape than expected: import app 7", numbered.OtherShape(errors.New("x")).Summary())
	assert.Equal(t, "The response has another shape than expected", unknown.OtherShape(errors.New("x")).Summary())
}
