package code

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsConfiguration(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]struct{ configuration, json bool }{
		"main.tf": {true, false}, "main.tofu": {true, false}, "main.tf.json": {true, true}, "main.tofu.json": {true, true},
		".hidden.tf": {false, false}, ".hidden.tf.json": {false, true}, "main.tf~": {false, false}, "main.json": {false, true}, "terraform.tfvars": {false, false},
	} {
		assert.Equal(t, want.configuration, IsConfiguration(name), name)
		assert.Equal(t, want.json, IsJSON(name), name)
	}
}
