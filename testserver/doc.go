// Package testserver implements PostHog's API for surveys and pipeline import apps in memory, so that
// tests need no account. It stores objects, refuses invalid requests as PostHog does, records every
// request, and injects faults on demand.
//
// In a test, call [Start]:
//
//	srv := testserver.Start(t)
//	client := yourclient.New(srv.URL, srv.APIKey)
//
// [New] returns the bare [http.Handler], and [Command] runs the program posthog-testserver.
//
// The journal contains every request with its response: see [Server.Journal]. Its size is bounded. The
// server redacts API keys in it, but no other secrets in bodies. [Server.Report] reports problems of a
// test run: for example, writes that detached answers from their questions, or answers to questions
// that no survey contains. [Report] covers all servers that [Start] started.
//
// With Worlds in the [Options], one server can serve parallel tests. The key phx_test_NAME belongs to
// the world NAME, which has its own store, journal, faults, and clock. [Server.World] returns a world
// as a server, and [Instance.World] returns the world of a test.
//
// A fixtures document has the same form as a dump. A dump contains these keys only if they are used:
//
//   - project_ids of a user limits the user's access to these projects of the organizations;
//   - archived of responses;
//   - cohorts and insights, which surveys refer to;
//   - app_sources, the code that PostHog finds when it installs an app from a URL.
//
// The plugin_json of an app source is the content of the file plugin.json, or null for code without
// this file. Code at any other URL contains only a name:
//
//	{"app_sources": [{"url": "https://github.com/o/app", "tag": "v1", "plugin_json": {"name": "App"}}]}
//
// Some entries have keys with special values:
//
//   - used_by of a flag is the other product that uses the flag: experiment, product_tour, or
//     early_access_feature.
//   - behavioral of a cohort is true, or a list of conditions on events, which are objects with key
//     and value. backfilling marks a cohort that PostHog is still filling. filters has PostHog's form
//     and selects the persons of the cohort. The members of a static cohort (is_static) are distinct
//     IDs.
//   - group_types of a project are the group type names, in the order of their indexes.
//   - survey_config of a project contains seenSurveyWaitPeriodInDays. surveys_opt_in is true or false.
//     Apps identify the project by its api_token. A project may also contain settings of the official
//     provider's posthog_project_settings, such as heatmaps_opt_in. The server stores these settings,
//     but they have no effect.
//   - Responses with the same submission_id are partial answers of one person. The latest one counts.
//
// The key events lists what persons did with surveys, and persons lists the distinct IDs that apps use
// for each person. A distinct ID that persons does not list belongs to a separate person:
//
//	{"persons": [{"project_id": 1, "distinct_ids": ["ann", "ann-phone"], "properties": {"plan": "pro"}, "is_identified": true}],
//	 "events": [{"project_id": 1, "survey_id": "...", "event": "survey sent", "at": "2026-01-31T12:00:00Z",
//	   "distinct_id": "ann", "properties": {"$survey_response_ID": "5", "$survey_submission_id": "s"}}]}
//
// The key groups lists the groups that apps reported, each with project_id, group_type, group_key, and
// properties.
//
// The events of surveys are survey shown, survey dismissed, survey sent, and survey abandoned. Other
// events have no survey_id and don't count for any survey. An event with a count instead of a
// distinct_id represents that many events, each by a different person. responses is a short form of
// such an entry for survey sent. The server computes responses_count, stats, and the response limit of
// a survey from the events. MaxEvents in the [Options] limits the number of stored events. Apps and
// backends send events with PostHog's SDKs, including SDKs that use capture v1
// (/i/v1/analytics/events). [Server.Person] creates a person before a test, and [Server.WaitEvent]
// waits for an event.
//
// Each feature of an organization is a name, or an object with a key. A feature turns on behavior that
// only some organizations or versions of PostHog have: see the constants that start with Feature.
// Without the key features, an organization in the hosted profile has the features of the newest known
// version.
//
// The key removed, or [Server.SetRemoved] during a run, removes routes, as PostHog does when it
// discontinues an API: [RemovedImportApps].
//
//	{"removed": ["pipeline_import_apps"]}
//
// The profile [Hosted] also serves routes that clients of surveys call, but that PostHog does
// not document: PUT on surveys and import apps, launch, stop, and stats of surveys, feature flags,
// actions, the project with its surveys_opt_in, users/@me, personal_api_keys/@current, bodies that
// are forms, OPTIONS, and /api/environments/ID/ with its surveys. In the OpenAPI document, their
// operations have x-profile hosted. The test server omits PostHog's other routes:
//
//   - on surveys: archive, unarchive, and archived-response-uuids of responses, question_labels,
//     summarize_responses, summary_headline, generate_translations, duplicate_to_projects, and the
//     custom domain;
//   - on feature flags: PUT, DELETE (clients delete a flag with PATCH and deleted true), versions
//     of writes, activity, evaluation, and everything else that surveys don't need;
//   - on projects: everything except GET, and PATCH of surveys_opt_in, survey_config, and settings that
//     have no effect here;
//   - on actions: the list;
//   - on users and keys: everything except the GET listed above;
//   - the description of fields in the response to OPTIONS.
//
// After a panic in the server's code, the client receives PostHog's error for status 500, and the
// Logger of the [Options] receives the stack trace.
//
// The control paths and the page require no key. To protect them from websites that the user's browser
// opens, the server refuses requests from pages of other sites with status 403. On the loopback
// interface, it also refuses requests for host names other than localhost, its addresses, and Hosts of
// the [Options], with status 421. A handler that a test calls without a connection accepts any name.
//
// The server checks the clients that are tested with it, so it shares no code with them. From this
// module, it imports only the contract and packages that it does not check: survey audiences, the
// flowchart, escaping, and scripts for browsers.
package testserver
