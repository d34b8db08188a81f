// Package testserver is a complete in-memory reference server of the survey and pipeline
// import app interface, for tests without an external service. It stores objects, refuses
// invalid requests like the service, records every request, and misbehaves on demand.
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
// [Server.World] returns that world as a server, [Instance.World] that of a test.
//
// The fixtures document has the form of a dump. A dump has some keys only if they are used:
// project_ids of a user, which limits access to those projects of the organizations;
// archived of responses; cohorts and insights, which surveys refer to; and app_sources, the
// code that the hosted service finds when it installs an app:
//
//	{"app_sources": [{"url": "https://github.com/o/app", "tag": "v1", "plugin_json": {"name": "App"}}]}
//
// Code at any other address has no more than a name there, and plugin_json null stands
// for code without the file. A flag that another product uses says so in used_by: experiment,
// product_tour or early_access_feature. The behavioral of a cohort is true, or the list
// of its conditions on events as objects with key and value; backfilling is a cohort that
// is still being filled. Its filters have the form of the service and choose its people; those of
// a static one (is_static) are its members, as distinct ids. The group_types of a project are the
// names of its types of groups, in the order of their indexes. The survey_config of a project has its
// seenSurveyWaitPeriodInDays; its surveys_opt_in is true or false, and its api_token is by
// which apps name it. It may also have the settings of the official provider's posthog_project_settings,
// such as heatmaps_opt_in, which are kept and act on nothing. Responses with one
// submission_id are partial answers of one person, of which the latest counts.
//
// What people did with surveys is in events, and the ids by which apps know a person in
// persons; a distinct id that no person has is a person of its own:
//
//	{"persons": [{"project_id": 1, "distinct_ids": ["ann", "ann-phone"], "properties": {"plan": "pro"}, "is_identified": true}],
//	 "events": [{"project_id": 1, "survey_id": "...", "event": "survey sent", "at": "2026-01-31T12:00:00Z",
//	   "distinct_id": "ann", "properties": {"$survey_response_ID": "5", "$survey_submission_id": "s"}}]}
//
// What apps say of groups is in groups, each with project_id, group_type, group_key and properties.
//
// The events of surveys are survey shown, survey dismissed, survey sent and survey abandoned; whatever
// else apps capture has no survey_id, and counts for no survey. One with a
// count instead of a distinct_id is that many events, each of another person; responses are the short
// form of that for survey sent. From them follow responses_count, stats, and the
// limit that stops a survey. MaxEvents in the [Options] bounds how many are kept. Apps and backends send
// events by the SDKs of the service, those that use capture v1 (/i/v1/analytics/events) included;
// [Server.Person] prepares who is there, and [Server.WaitEvent] waits for what arrives.
//
// The features of an organization, names or objects with a key, switch on what not every
// organization has, and what only some versions of the service do: see the constants
// that begin with Feature. Without the key features, an organization of the hosted profile has
// those of the newest known version of the service.
//
// Removed in the document, or [Server.SetRemoved] at any moment of a run, takes routes away as
// the service does when it gives up an API: [RemovedImportApps].
//
//	{"removed": ["pipeline_import_apps"]}
//
// The profile [Hosted] also serves routes that clients of surveys call and that the documented interface
// lacks: PUT on both nouns, launch, stop and stats of surveys, feature flags,
// actions, the project with its surveys_opt_in, users/@me, personal_api_keys/@current, bodies that
// are forms, OPTIONS, and /api/environments/ID/ with its surveys. They are marked in the OpenAPI document with
// x-profile hosted on the operation. Of the service's further routes it leaves out
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
// A panic in the server's code gets the service's error for status 500; the
// stack goes to the Logger of the [Options].
//
// The control interface and the page need no key. So that no web site uses them by the browser
// of somebody who runs a server, requests that pages of other sites make are refused with
// status 403, and on the loopback interface requests for other names than localhost, its
// addresses and Hosts of the [Options] with status 421. A handler that is called without a
// connection, as tests do, takes any name.
//
// The server judges the clients that are tested with it, so it shares no code with them: of
// this module it imports the contract, and what it does not judge: who is offered a survey, how
// branching is drawn and texts are printed, and what browsers run.
package testserver
