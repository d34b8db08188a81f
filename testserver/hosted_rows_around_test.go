package testserver_test

import "fmt"

// hostedChangesAround are the numbered changes of the hosted service around the writes of
// surveys. Left out are what no request shows: C52, C53, C66 and C67 are advice for
// clients, and no API key gets to the operations that C65 is about.
func hostedChangesAround() []string {
	rules := []string{"C1 "}
	for n := 38; n <= 64; n++ {
		if n != 52 && n != 53 {
			rules = append(rules, fmt.Sprintf("C%d ", n))
		}
	}
	return rules
}

// hostedRulesAround are what is known of the hosted service around its surveys. No
// rule of these can be tested, for the want of something in the server:
//   - apps that are seen because of a configuration, and apps without an organization:
//     there are neither in fixtures;
//   - what the operations on apps without a scope do: no API key gets there;
//   - requirements of an app on the version, which only self-hosted services look at.
func hostedRulesAround() []string {
	return []string{
		"0 activity", "0 responses_count", "0 url is needed on create", "0 hog_function_migration_available is a boolean",
		"0 scopes of the extra pipeline operations", "0 an app without capabilities is hidden after create",
		"1 field search_match_type",
		"4 responses_count: by id", "4 responses_count: no survey has started", "4 responses_count: survey_ids",
		"4 responses_count: exclude_archived", "4 responses_count: not paginated",
		"4 activity: an update is one entry", "4 activity: an update of nothing", "4 activity: targeting filters changed",
		"4 activity: entries of a deleted survey stay", "4 activity: of an unknown or deleted survey", "4 activity: the system",
		"4 activity pages: ten unless told", "4 activity pages: page", "4 activity pages: limit", "4 activity pages: unhandled",
		"5 field id", "5 field plugin_type", "5 field name", "5 field description", "5 field url", "5 field icon", "5 field config_schema",
		"5 field tag", "5 field latest_tag", "5 field is_global", "5 field organization_id", "5 field organization_name",
		"5 field capabilities", "5 field metrics", "5 field public_jobs", "5 field hog_function_migration_available",
		"5 visibility: tasks", "5 visibility: no methods", "5 visibility: onEvent", "5 visibility: composeWebhook",
		"5 visibility: processEvent", "5 visibility: another's global", "5 visibility: list",
		"5 who may: CONFIG reads", "5 who may: INSTALL writes", "5 who may: ROOT makes global",
		"5 case access level too low", "5 case is_global without ROOT", "5 case write to another org's global plugin",
		"5 case other org's non-global plugin", "5 case not a member of the org", "5 case URL already installed anywhere",
		"5 case URL not GitHub/GitLab/npm", "5 case no plugin.json", "5 case delete while global", "5 case plugin_type bad", "5 case name > 200",
		"5 PATCH", "5 DELETE",
		"5 action check_for_updates", "5 action source", "5 action update_source", "5 action upgrade", "5 action activity",
		"5 action exports_unsubscribe_configs", "5 action repository", "5 action unused",
		"6 header: blanks", "6 key in the body", "6 key in the query",
		"6 order: key before body", "6 order: scope before body",
		"6 no key", "6 unknown key", "6 scope missing", "6 key with empty scopes", "6 action without scope",
		"6 key limited to other project", "6 key limited to projects, org endpoint", "6 key limited to other org",
		"6 member of org but not project", "6 not a member of org", "6 flag scope: filters on create", "6 flag scope: delete",
		"6 object missing", "6 project unknown", "6 org unknown", "6 unknown path under /api",
		"6 method not allowed: PATCH on the collection", "6 method not allowed: POST on a detail URL",
		"6 malformed JSON", "6 wrong content type", "6 unhandled", "6 database hiccup",
		"6 scopes", "6 rate limits: counted per key", "6 rate limits: 4800 an hour", "6 rate limits: off by itself",
		"6 paging: limit and offset", "6 paging: limit 0", "6 paging: past the end", "6 paging: 100 unless told, and no maximum",
		"6 list order", "6 filters: search in the name", "6 filters: search in the description", "6 filters: search misspelt",
		"6 filters: search, exact hits hide similar ones", "6 filters: search blank", "6 filters: archived",
		"6 filters: archived ones are in by default", "6 filters: type", "6 filters: ids",
		"6 trailing slash", "6 @current project", "6 @current org",
	}
}
