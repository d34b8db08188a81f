package main

import "testing"

func TestOnlyImports(t *testing.T) {
	t.Parallel()

	const untouched = `{"address":"a.kept","change":{"actions":["no-op"]}}`
	for name, one := range map[string]struct {
		changes string
		accept  bool
	}{
		"an import without a change":  {untouched + `,{"address":"a.new","change":{"actions":["no-op"],"importing":{"id":"7"}}}`, true},
		"no import":                   {untouched, false},
		"another object is imported":  {`{"address":"a.other","change":{"actions":["no-op"],"importing":{"id":"7"}}}`, false},
		"the imported object changes": {`{"address":"a.new","change":{"actions":["update"],"importing":{"id":"7"}}}`, false},
		"another object changes":      {`{"address":"a.kept","change":{"actions":["delete","create"]}},{"address":"a.new","change":{"actions":["no-op"],"importing":{"id":"7"}}}`, false},
		"the object is there already": {untouched + `,{"address":"a.new","change":{"actions":["no-op"]}}`, false},
		"what was printed is cut off": {`{"address":`, false},
		"a change without actions":    {`{"address":"a.new","change":{"importing":{"id":"7"}}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			err := onlyImports(`{"resource_changes":[`+one.changes+`]}`, "a.new")
			if (err == nil) != one.accept {
				t.Errorf("got %v", err)
			}
		})
	}
}
