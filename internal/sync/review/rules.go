package review

// Rules are the rules of Lint, sorted by name.
func Rules() []Rule {
	return []Rule{
		{Name: "always-repeats-answers", Severity: Warning, Stage: StageRepetition, Description: "A popover comes back on every page to people who have answered it.", survey: repeatedAnswers},
		{Name: "api-with-conditions", Severity: Note, Stage: StageType, Description: "An api survey has conditions, which only some ways to ask for it look at.", survey: conditionsOfAPISurveys},
		{Name: "behavioural-cohort", Severity: Warning, Stage: StageTargeting, Description: "Targeting names a cohort by what people did, which flags cannot decide (live sides, scope cohort:read).", survey: behavioralCohorts},
		{Name: "dead-end", Severity: Warning, Stage: StageQuestions, Description: "After a question the web SDK neither shows another one nor ends the survey, and answers are lost.", survey: deadEnds},
		{Name: "endless-loop", Severity: Error, Description: "Questions repeat and no answer leads out.", survey: endlessLoops},
		{Name: "group-flag-without-groups", Severity: Note, Stage: StageTargeting, Description: "A flag is evaluated for groups, so an app that names no group shows the survey to nobody.", survey: flagsOfGroups},
		{Name: "incomplete-translation", Severity: Error, Description: "A translation lacks a text, or has another number of choices.", survey: incompleteTranslations},
		{Name: "internal-text", Severity: Warning, Description: "A text that people read names an internal host or the e-mail address of a person.", survey: internalTexts},
		{Name: "loop", Severity: Warning, Description: "Branching can repeat questions.", survey: loops},
		{Name: "no-page-in-shared-project", Severity: Note, Stage: StageConditions, Description: "A popover without any page is shown on each site of a project that has several.", among: noPage},
		{Name: "nobody-can-match", Severity: Warning, Description: "Targeting contradicts itself or lets nobody in, so nobody sees the survey.", survey: nobodyMatches},
		{Name: "overlapping-surveys", Severity: Warning, Description: "Two running popovers may appear on the same page, and neither has a wait period.", all: overlappingSurveys},
		{Name: "partial-default-differs", Severity: Warning, Stage: StageQuestions, Description: "The code leaves enable_partial_responses out, which is false, and other surveys have true.", among: partialDefault},
		{Name: "rating-bucket-missing", Severity: Note, Stage: StageQuestions, Description: "A rating branches by response, and a part of its scale without a branch goes where another part is sent.", survey: missingBuckets},
		{Name: "sdk-too-old", Severity: Warning, Description: "An SDK of the version that --sdk names ignores a setting of a survey.", survey: ignoredSettings},
		{Name: "shared-name", Severity: Error, Description: "Two surveys of one project have one name, so the second cannot be created.", all: sharedNames},
		{Name: "shuffle-with-partial", Severity: Warning, Stage: StageQuestions, Description: "Questions are to be shuffled, which partial responses prevent.", survey: shuffledPartials},
		{Name: "skip-submit-center-delay", Severity: Warning, Stage: StageDisplay, Description: "A survey opens late in the middle of the page, where the next click answers it.", survey: accidentalAnswers},
		{Name: "skipped-optional-branches", Severity: Note, Stage: StageQuestions, Description: "An optional rating branches by response, and older web SDKs stop when it is skipped.", survey: skippedRatings},
		{Name: "unbounded", Severity: Warning, Description: "A running popover has no limit, no end and no targeting.", survey: unbounded},
		{Name: "unreachable-question", Severity: Error, Description: "No answer leads to a question.", survey: unreachableQuestions},
		{Name: "wait-period-counts-every-survey", Severity: Warning, Stage: StageWaitPeriod, Description: "A wait period never ends, since other surveys, or the survey itself, are shown more often.", among: endlessWaits},
		{Name: "web-condition-on-mobile", Severity: Warning, Stage: StageConditions, Description: "A survey for mobile apps has a condition that only the web SDK asks.", survey: webConditions},
	}
}
