// Package testserver is a complete, in-memory reference server of the survey and
// pipeline import app interface, for tests without an external service. It keeps
// what it is sent, refuses what the service refuses, writes down every request,
// and misbehaves on demand.
//
// In a test, [Start] is all there is to call:
//
//	srv := testserver.Start(t)
//	client := mine.NewClient(srv.URL, srv.APIKey)
//
// [New] gives the bare [http.Handler], and [Command] is the program
// posthog-testserver.
//
// The journal has every request with its answer: [Server.Journal], as an HTTP Archive
// [Server.WriteHAR], and for those who watch it [Server.WaitJournal] and
// [Server.JournalSince]. Its memory is bounded. [Server.Report] says what a run of tests
// reached of the interface and what should not be in one, as answers that were cut off
// from their questions; [Report] says it of all servers that [Start] has made.
//
// With Worlds in the [Options] one server serves tests that run at the same time: the key
// phx_test_NAME belongs to a world of that name, with its own store, journal, faults and
// clock. [Server.World] is that world as a server, [Instance.World] the one of a test.
//
// The fixtures document has the form of a dump. Some keys are in a dump only when they
// are used: project_ids of a user, who then has access to no other project of the
// organizations; archived of responses; cohorts and insights, to which surveys refer;
// and app_sources, the code that the hosted service finds when it installs an app:
//
//	{"app_sources": [{"url": "https://github.com/o/app", "tag": "v1", "plugin_json": {"name": "App"}}]}
//
// Code at any other address has no more than a name there, and plugin_json null stands
// for code without the file. A flag that another product uses says so in used_by: experiment,
// product_tour or early_access_feature. The behavioral of a cohort is true, or the list
// of its conditions on events as objects with key and value; backfilling is a cohort that
// is still being filled. The survey_config of a project has its
// seenSurveyWaitPeriodInDays; its surveys_opt_in is true or false. Responses with one
// submission_id are partial answers of one person, of which the latest counts.
//
// The features of an organization, names or objects with a key, switch on what not every
// organization has, and what only some versions of the service do: see the constants
// that begin with Feature.
//
// The profile [Hosted] also serves what clients of surveys call beside the documented
// interface: PUT on both nouns, launch, stop and stats of surveys, feature flags, the
// project (surveys_opt_in), users/@me, personal_api_keys/@current, bodies that are forms,
// OPTIONS, and /api/environments/ID/surveys/. They are marked in the OpenAPI document with
// x-profile hosted on the operation. Of the service's further routes it leaves out
//
//   - on surveys: responses with archive, unarchive and archived-response-uuids,
//     question_labels, summarize_responses, summary_headline, generate_translations,
//     duplicate_to_projects, the custom domain, and the feed for SDKs;
//   - on feature flags: PUT, DELETE (a flag is deleted by PATCH with deleted true), versions
//     of writes, activity, evaluation and everything else that no survey needs;
//   - on projects, users and keys: all but the one GET;
//   - the description of fields in the answer to OPTIONS.
//
// A request that breaks the server's code is answered with the service's status 500; the
// stack goes to the Logger of the [Options].
//
// The server is a witness for the clients that are tested with it, so it shares
// no code with them: of this module it imports the contract alone.
package testserver
