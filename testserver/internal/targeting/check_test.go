package targeting_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// project has flags and no cohorts.
type project map[int64]*store.Flag

func (p project) Flag(id int64) *store.Flag  { return p[id] }
func (p project) Cohort(int64) *store.Cohort { return nil }

func flagOf(t *testing.T, id int64, key, filters string) *store.Flag {
	return &store.Flag{ID: id, Object: store.NewObject(store.FlagTable, wire.Fields{
		"key": wire.TextOf(key), "filters": wiretest.Decode(t, filters),
	}, nil)}
}

// dependsOn are filters with a property that is another flag.
func dependsOn(id string) string {
	return `{"groups":[{"properties":[{"key":"` + id + `","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`
}

func TestCheckDependencies(t *testing.T) {
	t.Parallel()

	one, two, three := flagOf(t, 1, "one", `{"groups":[]}`), flagOf(t, 2, "two", dependsOn("3")), flagOf(t, 3, "three", dependsOn("1"))
	home := project{1: one, 2: two, 3: three}
	for _, test := range []struct {
		depends string
		flag    *store.Flag
		want    string
	}{
		{"2", nil, ""},
		{"4", nil, "Flag dependency references non-existent flag with ID 4"},
		{"two", nil, "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'two'"},
		{"1", one, "Feature flag 'one' cannot depend on itself"},
		{"2", one, "Circular dependency detected: one → two → three → one"},
	} {
		f := targeting.Check(wiretest.Decode(t, dependsOn(test.depends)), test.flag, home)
		if test.want == "" {
			assert.Nil(t, f, test.depends)
			continue
		}
		if assert.NotNil(t, f, test.depends) {
			assert.Equal(t, test.want, f.Detail, test.depends)
			assert.Equal(t, "filters", f.Attr, test.depends)
		}
	}
}

func TestNormal(t *testing.T) {
	t.Parallel()

	once := targeting.Normal(wiretest.Decode(t, `{"groups":[{"properties":[{"key":"a","operator":"min","value":1}]}],"payloads":{"true":{"a":1}}}`))
	assert.JSONEq(t, `{"groups":[{"properties":[{"key":"a","operator":"gte","value":1}],"aggregation_group_type_index":null}],
		"payloads":{"true":"{\"a\": 1}"},"aggregation_group_type_index":null}`, once.Spelling())
	assert.Equal(t, once, targeting.Normal(once), "what is normal stays")
}
