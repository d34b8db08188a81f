// Package testserver implements PostHog's API for surveys and pipeline import apps in memory, for tests
// without an account. It stores objects, refuses invalid requests as PostHog does, records every
// request, and injects faults on demand.
//
// In a test, call [Start]:
//
//	srv := testserver.Start(t)
//	client := yourclient.New(srv.URL, srv.APIKey)
//
// [New] returns the bare [http.Handler], and [Command] runs the program posthog-testserver.
//
// The journal has every request with its response: see [Server.Journal]. Its memory is
// bounded. It redacts API keys, but no other secrets in bodies. [Server.Report] reports problems of a test run, such as
// answers that were detached from their questions or that no survey has; [Report] does so for all servers of [Start].
//
// With Worlds in the [Options] one server serves parallel tests: the key phx_test_NAME
// belongs to a world with that name, with its own store, journal, faults and clock.
// [Server.World] returns a world as a server, and [Instance.World] returns the world of a test.
//
// The fixtures document has the form of a dump. A dump has some keys only if they are used:
// project_ids of a user, which limits access to those projects of the organizations;
// archived of responses; cohorts and insights, which surveys refer to; and app_sources, the
// code that PostHog finds when it installs an app:
//
//	{"app_sources": [{"url": "https://github.com/o/app", "tag": "v1", "plugin_json": {"name": "App"}}]}
//
// Code at any other URL has only a name, and plugin_json null is code without the file. The used_by
// of a flag is the other product that uses it: experiment, product_tour, or early_access_feature. The
// behavioral of a cohort is true, or a list of its conditions on events, as objects with key and value.
// A cohort with backfilling is still being filled. Its filters have PostHog's form and select its
// persons; the members of a static cohort (is_static) are distinct IDs. The group_types of a project are the
// names of its types of groups, in the order of their indexes. The survey_config of a project has its
// seenSurveyWaitPeriodInDays; its surveys_opt_in is true or false, and its api_token is by
// which apps name it. It may also have the settings of the official provider's posthog_project_settings,
// such as heatmaps_opt_in, which are kept and act on nothing. Responses with one
// submission_id are partial answers of one person, of which the latest counts.
//
// The key events lists what persons did with surveys, and persons lists the distinct IDs that apps use
// for each person. A distinct ID that persons does not list is a separate person:
//
//	{"persons": [{"project_id": 1, "distinct_ids": ["ann", "ann-phone"], "properties": {"plan": "pro"}, "is_identified": true}],
//	 "events": [{"project_id": 1, "survey_id": "...", "event": "survey sent", "at": "2026-01-31T12:00:00Z",
//	   "distinct_id": "ann", "properties": {"$survey_response_ID": "5", "$survey_submission_id": "s"}}]}
//
// The key groups lists the groups that apps reported, each with project_id, group_type, group_key, and
// properties.
//
// The events of surveys are survey shown, survey dismissed, survey sent, and survey abandoned. Other
// events have no survey_id, and count for no survey. An event with a count instead of a distinct_id
// represents that many events of different persons; responses are the short form of this for survey
// sent. The server computes responses_count, stats, and the limit that stops a survey from them.
// MaxEvents in the [Options] limits how many are kept. Apps and backends send events with PostHog's SDKs,
// including those that use capture v1 (/i/v1/analytics/events). [Server.Person] creates a person before
// a test, and [Server.WaitEvent] waits for an event.
//
// The features of an organization are names, or objects with a key. They turn on behavior of some
// organizations or versions of PostHog: see the constants that start with Feature. Without the key
// features, an organization in the hosted profile has the features of the newest known version.
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
//   - on surveys: responses with archive, unarchive and archived-response-uuids,
//     question_labels, summarize_responses, summary_headline, generate_translations,
//     duplicate_to_projects, and the custom domain;
//   - on feature flags: PUT, DELETE (a flag is deleted by PATCH with deleted true), versions
//     of writes, activity, evaluation and everything else that no survey needs;
//   - on projects all but GET, and PATCH of surveys_opt_in, survey_config, and settings that act on
//     nothing here; on actions the list; on users and keys all but the one GET;
//   - the description of fields in the response to OPTIONS.
//
// After a panic in the server's code, a client receives PostHog's error for status 500, and the Logger
// of the [Options] receives the stack.
//
// The control paths and the page require no key. To protect them from web sites that the user's browser
// opens, the server refuses requests from pages of other sites with status 403. On the loopback
// interface, it also refuses requests for host names other than localhost, its addresses, and Hosts of
// the [Options], with status 421. A handler that a test calls without a connection accepts any name.
//
// The server checks the clients that are tested with it, so it shares no code with them. From this
// module, it imports only the contract and packages that it does not check: who is offered a survey, the
// flowchart, escaping, and scripts for browsers.
package testserver
