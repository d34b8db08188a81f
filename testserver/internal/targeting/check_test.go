package targeting_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
)

// project has flags, and features without settings.
type project struct {
	flags    map[int64]*store.Flag
	features map[string]bool
}

func (p project) Flag(id int64) *store.Flag                  { return p.flags[id] }
func (p project) Cohort(int64) *store.Cohort                 { return nil }
func (p project) Feature(name string) (rawjson.Fields, bool) { return nil, p.features[name] }

func flagOf(id int64, key, filters string) *store.Flag {
	return &store.Flag{ID: id, Object: store.NewObject(store.FlagTable, rawjson.Fields{
		"key": rawjson.Quote(key), "filters": json.RawMessage(filters),
	}, nil)}
}

// dependsOn are filters with a property that is another flag.
func dependsOn(id string) string {
	return `{"groups":[{"properties":[{"key":"` + id + `","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`
}

func TestCheckDependencies(t *testing.T) {
	t.Parallel()

	one, two, three := flagOf(1, "one", `{"groups":[]}`), flagOf(2, "two", dependsOn("3")), flagOf(3, "three", dependsOn("1"))
	home := project{flags: map[int64]*store.Flag{1: one, 2: two, 3: three}}
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
		f := targeting.Check(json.RawMessage(dependsOn(test.depends)), test.flag, home)
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

func TestCheckRules(t *testing.T) {
	t.Parallel()

	filters := json.RawMessage(`{"groups":[{"properties":[],"variant":"none"}],"early_exit":true}`)
	f := targeting.Check(filters, nil, project{})
	if assert.NotNil(t, f, "without features") {
		assert.Equal(t, "early_exit is not available for this organization.", f.Detail)
	}
	f = targeting.Check(filters, nil, project{features: map[string]bool{targeting.EarlyExit: true}})
	if assert.NotNil(t, f, "the older rules") {
		assert.Equal(t, "Filters are not valid (variant override does not exist)", f.Detail)
	}
	f = targeting.Check(filters, nil, project{features: map[string]bool{targeting.EarlyExit: true, targeting.Rules: true}})
	assert.Nil(t, f, "a rule that is not enforced accepts what breaks it")
}

func TestNormal(t *testing.T) {
	t.Parallel()

	once := targeting.Normal(json.RawMessage(`{"groups":[{"properties":[{"key":"a","operator":"min","value":1}]}],"payloads":{"true":{"a":1}}}`))
	assert.JSONEq(t, `{"groups":[{"properties":[{"key":"a","operator":"gte","value":1}],"aggregation_group_type_index":null}],
		"payloads":{"true":"{\"a\": 1}"},"aggregation_group_type_index":null}`, string(once))
	assert.Equal(t, string(once), string(targeting.Normal(once)), "what is normal stays")
}
