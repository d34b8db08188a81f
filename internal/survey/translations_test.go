package survey

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Translations are compared by normalized language code and by value, in any order.
func TestSameTranslations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored, configured string
		isSame             bool
	}{
		{`{"de":{"name":"F","new":"N"}}`, `{"DE":{"new":"N","name":"F"}}`, true},
		{`{"de":{"name":"F","new":"N"}}`, `{"de":{"name":"F","new":"M"}}`, false},
		{`{"de":{"name":"F","new":"N"}}`, `{"de":{"name":"F"}}`, false},
		{`{"de":{"name":"F"}}`, `{"de":{"name":"F","new":"N"}}`, false},
		{`{"de":{}}`, `{"de":{"new":"N"}}`, false},
		{`{"de":{}}`, `{}`, false},
		{`{"pt-BR":{"name":"F"}}`, `{"pt_br":{"name":"F"}}`, true},
		{`{"pt-BR":{"name":"F"},"pt-br":{"name":"G"}}`, `{"pt-br":{"name":"G"},"pt-BR":{"name":"F"}}`, true},
		{`{"pt-br":{"name":"F"}}`, `{"pt-br":{"name":"F"},"pt-BR":{"name":"F"}}`, false},
		{`{"de":{"name":"F"}}`, `{"de":{"name":"F"},"fr":{"name":"F"}}`, false},
		{`{"de":{"name":"F"}}`, `{"de":"F"}`, false},
		{`{"de":{"name":"F"}}`, `null`, false},
	} {
		assert.Equal(t, c.isSame, SameTranslations(c.stored, c.configured), "%s, %s", c.stored, c.configured)
	}
}
