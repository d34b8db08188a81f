package targeting_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// project implements targeting.Project with the given flags and cohorts.
type project struct {
	flags   map[int64]*store.Flag
	cohorts map[int64]*store.Cohort
}

func (p project) Flag(id int64) *store.Flag     { return p.flags[id] }
func (p project) Cohort(id int64) *store.Cohort { return p.cohorts[id] }

func flagOf(t *testing.T, id int64, key, filters string) *store.Flag {
	return &store.Flag{ID: id, Object: store.NewObject(store.FlagTable, wire.Fields{
		"key": wire.NewText(key), "filters": wiretest.Decode(t, filters),
	}, nil)}
}

// dependsOn returns filters with a property that depends on another flag.
func dependsOn(id string) string {
	return `{"groups":[{"properties":[{"key":"` + id + `","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`
}

func TestCheckDependencies(t *testing.T) {
	t.Parallel()

	one, two, three := flagOf(t, 1, "one", `{"groups":[]}`), flagOf(t, 2, "two", dependsOn("3")), flagOf(t, 3, "three", dependsOn("1"))
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
	assert.Equal(t, once, targeting.Normal(once), "filters in normal form are unchanged")
}

func filtersOf(groups string) string { return `{"groups":[` + groups + `]}` }

// whose returns a group that matches persons with the given properties.
func whose(properties string) string {
	return filtersOf(`{"properties":[` + properties + `],"rollout_percentage":50}`)
}

// compares returns a condition on a person property.
func compares(operator, value string) string {
	return whose(`{"key":"k","type":"person","operator":"` + operator + `","value":` + value + `}`)
}

// filterRow contains filters and PostHog's error. An empty detail means that PostHog fails with status 500.
type filterRow struct{ name, filters, code, detail string }

var filterRows = []filterRow{
	{"T2 at the top", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":"0"}`, "", "aggregation_group_type_index must be an integer or null, got str"},
	{"T2 at the top", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":true}`, "", "aggregation_group_type_index must be an integer or null, got bool"},
	{"T2 in a group", filtersOf(`{"properties":[],"rollout_percentage":5,"aggregation_group_type_index":1.5}`), "", "groups[0].aggregation_group_type_index must be an integer or null, got float"},
	{"T2 in a property", whose(`{"key":"k","type":"group","group_type_index":[],"value":1}`), "", "groups[0].properties[0].group_type_index must be an integer or null, got list"},
	{"T3 type", `{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":1}`, "", "early_exit must be a boolean or null, got int"},
	{"T4 variant", filtersOf(`{"properties":[],"rollout_percentage":5},{"properties":[],"rollout_percentage":5,"variant":{}}`), "", "groups[1].variant must be a string or null, got dict"},
	{"T5 type", filtersOf(`{"properties":[],"rollout_percentage":"5"}`), "", "groups[0].rollout_percentage must be a number or null, got str"},
	{"T5 boolean", filtersOf(`{"properties":[],"rollout_percentage":false}`), "", "groups[0].rollout_percentage must be a number or null, got bool"},
	{"T5 below", filtersOf(`{"properties":[],"rollout_percentage":-0.5}`), "", "groups[0].rollout_percentage must be between 0 and 100, got -0.5"},
	{"T5 above", filtersOf(`{"properties":[],"rollout_percentage":101}`), "", "groups[0].rollout_percentage must be between 0 and 100, got 101"},
	{"C25 T6 bracket", compares("regex", `"[a"`), "", "groups[0].properties[0].value: invalid regex pattern"},
	{"T7 null", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a"}]}}`, "", "multivariate.variants[0].rollout_percentage must be a number, got null"},
	{"T7 type", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a","rollout_percentage":100},{"key":"b","rollout_percentage":"x"}]}}`, "", "multivariate.variants[1].rollout_percentage must be a number, got str"},
	{"T11 a key", whose(`{"key":"on","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'on'"},
	{"T11 unknown", whose(`{"key":"99","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 99"},
	{"T11 deleted", whose(`{"key":"5","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 5"},
	{"T11 disabled", whose(`{"key":"2","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Cannot create dependency on disabled flag 'off' (ID: 2). Flag dependencies must reference active flags only."},
	{"T16 unknown", whose(`{"key":"id","type":"cohort","value":99}`), "cohort_does_not_exist", "Cohort with id 99 does not exist"},
	{"T16 of another project", whose(`{"key":"id","type":"cohort","value":"8"}`), "cohort_does_not_exist", "Cohort with id 8 does not exist"},
	{"T16 no number", whose(`{"key":"id","type":"cohort","value":"x"}`), "", ""},
	{"T22 no object", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":[]}`, "", "Payloads must be passed as a dictionary"},
	{"T24 size", whose(`{"key":"k","type":"person","value":"` + strings.Repeat("x", 600<<10) + `"}`), "", "Feature flag filters exceed maximum size of 512KB. Current size: 600KB. Please simplify conditions or reduce payload sizes."},
	{"C33 row 19 properties null", filtersOf(`{"properties":null}`), "", ""},
	{"C23 version", `{"groups":[{"properties":[],"rollout_percentage":5}],"version":2}`, "reserved_config_version", "filters.version is reserved. Remove it from the request."},
	{"C23 property", whose(`5`), "", "groups[0].properties[0] must be a dictionary, got int"},
	{"C23 multivariate", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":[]}`, "", "multivariate must be a dictionary or null, got list"},
	{"C23 variants", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":{}}}`, "", "multivariate.variants must be a list, got dict"},
	{"C23 the key of a variant", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{}]}}`, "", "multivariate.variants[0].key must be a string, got NoneType"},
	{"C23 enrollment", `{"groups":[{"properties":[],"rollout_percentage":5}],"feature_enrollment":1}`, "", "feature_enrollment must be a boolean or null, got int"},
	{"C23 holdout", `{"groups":[{"properties":[],"rollout_percentage":5}],"holdout":1}`, "", "holdout must be a dictionary or null, got int"},
	{"C23 T2 32 bits", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":2147483648}`, "", "aggregation_group_type_index must be between -2147483648 and 2147483647, got 2147483648"},
	{"C23 operator", compares("between", `[1]`), "", "groups[0].properties[0].operator: unsupported operator for feature flags"},
	{"C23 key", whose(`{"type":"person","value":1}`), "", "groups[0].properties[0].key: a property key is required"},
	{"C23 type", whose(`{"key":"k","type":"planet","value":1}`), "", "groups[0].properties[0].type: invalid property type"},
	{"no type", whose(`{"key":"k","value":"v"}`), "", "groups[0].properties[0].type: invalid property type"},
	{"type null", whose(`{"key":"k","type":null,"value":"v"}`), "", "groups[0].properties[0].type: invalid property type"},
	{"C23 negation", whose(`{"key":"k","type":"person","value":1,"negation":"x"}`), "", "groups[0].properties[0].negation must be a boolean or null, got str"},
	{"C23 payload", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"true":"{"}}`, "", "Payload for key 'true' is not valid JSON."},
}

// rowsProject returns the project to which filterRows refer, and the flag that is edited.
func rowsProject(t *testing.T) (p project, own *store.Flag) {
	t.Helper()
	column := func(f *store.Flag, name string) {
		f.Object = f.With(store.FlagTable, wire.Fields{name: wire.NewBool(name == "deleted")})
	}
	off, gone := flagOf(t, 2, "off", `{"groups":[]}`), flagOf(t, 5, "gone", `{"groups":[]}`)
	column(off, "active")
	column(gone, "deleted")
	own = flagOf(t, 3, "own", `{"groups":[{"properties":[{"key":"k","type":"person","operator":"regex","value":"(stored"}],"rollout_percentage":50}],"early_exit":true}`)
	return project{
		flags: map[int64]*store.Flag{1: flagOf(t, 1, "on", `{"groups":[]}`), 2: off, 3: own, 5: gone},
		cohorts: map[int64]*store.Cohort{
			6: {ID: 6, Name: "static"}, 7: {ID: 7, Name: "buyers", Events: []store.EventCondition{{Key: "paid", Value: "performed_event"}}}, 11: {ID: 11, Name: "new", Backfilling: true},
		},
	}, own
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	home, own := rowsProject(t)
	for _, row := range filterRows {
		for _, edited := range []*store.Flag{nil, own} {
			f := targeting.Check(wiretest.Decode(t, row.filters), edited, home)
			switch {
			case !assert.NotNil(t, f, row.name):
			case row.detail == "":
				assert.Equal(t, 500, f.Status, row.name)
			default:
				assert.Equal(t, []string{cmp.Or(row.code, "invalid_input"), "filters", row.detail}, []string{f.Code, f.Attr, f.Detail}, row.name)
			}
		}
	}
}

func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	home, own := rowsProject(t)
	for _, filters := range []string{
		filtersOf(`{"properties":[],"rollout_percentage":99.9,"unknown":{"kept":1}}`),
		whose(`{"key":"id","type":"cohort","value":"6"},{"key":"id","type":"cohort","operator":"not_in","value":6}`),
		whose(`{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}`),
		whose(`{"key":"k","type":"person","operator":"is_set"}`),
		whose(`{"key":"k","type":"person","operator":null,"value":[1]}`),
		compares("regex", `"(?P<n>a)(?<=b)(?>c+)(?i:d)"`), compares("gt", `"21"`),
		compares("is_date_before", `"-2w"`), compares("is_date_after", `"0014d"`), compares("is_date_exact", `"January 5th, 2024 at 10:30 PM"`),
		compares("is_date_exact", `"2024-W01-3"`), compares("is_date_exact", `"5/12/24"`), compares("is_date_exact", `"Tue, 5 Mar 2024 10:00:00 GMT"`),
		compares("semver_wildcard", `"1.2.*"`), compares("semver_tilde", `"v1.2.3-rc.1+b"`), compares("not_icontains_multi", `[]`),
		`{"groups":[{"properties":[],"rollout_percentage":5,"variant":"a"}],"payloads":{"a":"1"},"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]}}`,
		filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"group","group_type_index":0,"value":"v"}]}`),
		`{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":false}`,
		whose(`{"key":"k","type":"person"}`), compares("in", `[1]`), compares("is_date_exact", `"soon"`), compares("gt", `5`),
		filtersOf(`{"properties":[],"rollout_percentage":5,"variant":"v"}`),
		`{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"b":"1"},"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"a","rollout_percentage":40}]}}`,
		filtersOf(`{"properties":[],"rollout_percentage":0,"variant":null},{"properties":[],"rollout_percentage":null}`),
		filtersOf(`{"properties":[],"rollout_percentage":100,"aggregation_group_type_index":2147483647}`),
		filtersOf(`{"aggregation_group_type_index":-2147483648}`), whose(`{"key":"k","type":"person","negation":true}`), whose(`{"key":"id","type":"cohort"}`),
		`{"groups":[{}],"feature_enrollment":true,"holdout":{},"multivariate":null,"payloads":{"true":"1","false":{"a":1}}}`,
		whose(`{"key":"k","type":"person","value":"` + strings.Repeat("x", 512<<10-110) + `"}`),
	} {
		for _, edited := range []*store.Flag{nil, own} {
			assert.Nil(t, targeting.Check(wiretest.Decode(t, filters), edited, home), "%.200s", filters)
		}
	}
}

// TestCheckOfAnEditedFlag checks filters that are valid only for a flag that already has them.
func TestCheckOfAnEditedFlag(t *testing.T) {
	t.Parallel()
	home, own := rowsProject(t)
	for filters, want := range map[string]string{
		`{"groups":[]}`: "Feature flags must have at least one condition set (group).", `{"payloads":{}}`: "Feature flags must have at least one condition set (group).",
		`{"groups":[{}],"early_exit":true}`: "early_exit is not available for this organization.",
		compares("regex", `"(stored"`):      "groups[0].properties[0].value: invalid regex pattern",
		compares("not_regex", `"(stored"`):  "groups[0].properties[0].value: invalid regex pattern",
	} {
		assert.Nil(t, targeting.Check(wiretest.Decode(t, filters), own, home), filters)
		if f := targeting.Check(wiretest.Decode(t, filters), nil, home); assert.NotNil(t, f, filters) {
			assert.Equal(t, want, f.Detail)
		}
	}
	for filters, want := range map[string]string{
		whose(`{"key":"id","type":"cohort","value":7}`):  "Cohort 'buyers' has an event-based condition on 'paid' (performed_event) and cannot be used in surveys.",
		whose(`{"key":"id","type":"cohort","value":11}`): "Cohort 'new' is still being backfilled and cannot be used in surveys yet. It will become available once its initial backfill completes.",
	} {
		f := targeting.Check(wiretest.Decode(t, filters), own, home)
		if assert.NotNil(t, f, filters) {
			assert.Equal(t, []string{"behavioral_cohort_found", "", want}, []string{f.Code, f.Attr, f.Detail})
		}
	}
	for _, filters := range []string{`[]`, `null`, `{"groups":[{}],"x":"\u0000"}`} {
		f := targeting.Check(wiretest.Decode(t, filters), own, home)
		if assert.NotNil(t, f, filters) {
			assert.Equal(t, 500, f.Status, filters)
		}
	}
}

func TestNormalOfGroups(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{"groups":null}`: `{"groups":null}`, `{"groups":[1]}`: `{"groups":[1]}`, `{"groups":[]}`: `{"groups":[]}`,
		`{"groups":[{}],"aggregation_group_type_index":1}`:                                   `{"groups":[{"aggregation_group_type_index":1}],"aggregation_group_type_index":1}`,
		`{"groups":[{"aggregation_group_type_index":0},{"aggregation_group_type_index":1}]}`: `{"groups":[{"aggregation_group_type_index":0},{"aggregation_group_type_index":1}],"aggregation_group_type_index":null}`,
		`{"groups":[{"properties":[{"operator":"max"},{"operator":"gt"}]}]}`:                 `{"groups":[{"properties":[{"operator":"lte"},{"operator":"gt"}],"aggregation_group_type_index":null}],"aggregation_group_type_index":null}`,
		`{"payloads":{"a":[1,{"b":null}],"c":"d"}}`:                                          `{"payloads":{"a":"[1, {\"b\": null}]","c":"d"}}`,
	} {
		assert.JSONEq(t, want, targeting.Normal(wiretest.Decode(t, sent)).Spelling(), sent)
	}
	assert.Equal(t, []string{"a", "b"}, targeting.Variants(wiretest.Decode(t, `{"multivariate":{"variants":[{"key":"a"},{"key":"b"}]}}`)))
	assert.Empty(t, targeting.Variants(wiretest.Decode(t, `{}`)))
}
