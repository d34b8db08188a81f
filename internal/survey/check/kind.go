package check

// kind is a finding's subject.
type kind struct {
	// code identifies the kind for programs, and does not change when the wording changes.
	code Code
	// title is the diagnostic's summary.
	title string
	// mayBeTypo is set for an unknown key or value.
	mayBeTypo bool
}

// Code identifies a finding's subject.
type Code string

// withTitle returns the same kind with a different title.
func (k kind) withTitle(title string) kind {
	k.title = title
	return k
}

// of returns the same kind with a title that contains the key.
func (k kind) of(key string) kind { return k.withTitle("Unknown " + key) }

// Values that PostHog or its clients do not support.
var (
	unknownValue       = kind{"unknown-value", "Unknown value", true}
	unknownKey         = kind{"unknown-key", "Unknown key", true}
	notAString         = kind{"not-a-string", "Not a string", true}
	droppedTranslation = kind{"dropped-translation", "Translation is dropped", true}
)

// Invalid forms of values.
var (
	notJSONObject   = kind{code: "not-a-json-object", title: "Not a JSON object"}
	notBool         = kind{code: "not-a-boolean", title: "Not a boolean"}
	notNumber       = kind{code: "not-a-number", title: "Not a number"}
	negativeNumber  = kind{code: "negative-number", title: "Negative number"}
	notWhole        = kind{code: "not-a-whole-number", title: "Not a whole number"}
	notList         = kind{code: "not-a-list", title: "Not a list"}
	notObject       = kind{code: "not-an-object", title: "Not an object"}
	setThroughExtra = kind{code: "set-through-extra", title: "Attribute set through extra"}
	missingValue    = kind{code: "missing-value", title: "Missing value"}
)

// Names.
var (
	missingName = kind{code: "missing-name", title: "Missing name"}
	nameTooLong = kind{code: "name-too-long", title: "Name too long"}
)

// Numbers, dates, and a survey's schedule.
var (
	futureEnd               = kind{code: "future-end", title: "An end_date in the future stops the survey immediately"}
	futureStartOfRunning    = kind{code: "future-start-of-running", title: "A start_date in the future does not pause the survey"}
	futureStart             = kind{code: "future-start", title: "A start_date in the future launches the survey immediately"}
	completedDraft          = kind{code: "completed-draft", title: "The survey is completed but never ran"}
	shownAgain              = kind{code: "shown-again", title: "This plan shows the survey again"}
	maybeLaunches           = kind{code: "may-launch", title: "This plan may launch the survey"}
	launches                = kind{code: "survey-launches", title: "This plan launches the survey"}
	undoesLaunch            = kind{code: "undoes-launch", title: "This plan makes the survey a draft again"}
	runsWithoutQuestions    = kind{code: "runs-without-questions", title: "The running survey has no questions"}
	endBeforeStart          = kind{code: "end-before-start", title: "end_date before start_date"}
	invalidDateAndTime      = kind{code: "invalid-date-and-time", title: "Invalid date and time"}
	scheduleConflict        = kind{code: "schedule-conflict", title: "Schedule conflicts with iterations"}
	fewerIterations         = kind{code: "fewer-iterations", title: "Fewer iterations than completed"}
	pastSampling            = kind{code: "past-sampling", title: "Sampling starts in the past"}
	neverRepeats            = kind{code: "never-repeats", title: "Survey does not repeat"}
	invalidID               = kind{code: "invalid-id", title: "Invalid ID"}
	tooManyIterations       = kind{code: "too-many-iterations", title: "Too many iterations"}
	missingSamplingInterval = kind{code: "missing-sampling-interval", title: "Missing sampling interval"}
	missingStartOfSampling  = kind{code: "missing-sampling-start", title: "Missing start of sampling"}
	missingSamplingLimit    = kind{code: "missing-sampling-limit", title: "Missing sampling limit"}
)

// Targeting.
var (
	rolloutAbove100          = kind{code: "rollout-above-100", title: "Rollout percentage above 100"}
	filtersTooLarge          = kind{code: "filters-too-large", title: "Filters too large"}
	reservedKey              = kind{code: "reserved-key", title: "Reserved key"}
	missingGroups            = kind{code: "missing-groups", title: "Missing groups"}
	unknownVariant           = kind{"unknown-variant", "Unknown variant", true}
	matchesEveryone          = kind{code: "matches-everyone", title: "Targeting matches everyone"}
	missingRolloutPercentage = kind{code: "missing-rollout-percentage", title: "Missing rollout percentage"}
	missingVariantKey        = kind{code: "missing-variant-key", title: "Missing variant key"}
	duplicateVariantKey      = kind{code: "duplicate-variant-key", title: "Duplicate variant key"}
	variantSum               = kind{code: "variant-sum", title: "Variant percentages do not add up to 100"}
	unknownPayloadKey        = kind{"unknown-payload-key", "Unknown payload key", true}
	payloadNotJSON           = kind{code: "payload-not-json", title: "Payload is not JSON"}
	variantWithoutFlag       = kind{code: "variant-without-flag", title: "linkedFlagVariant without a linked flag"}
)

// Targeting properties.
var (
	invalidRegularExpression = kind{code: "invalid-regular-expression", title: "Invalid regular expression"}
	missingPropertyKey       = kind{code: "missing-property-key", title: "Missing property key"}
	notFlagID                = kind{code: "not-a-flag-id", title: "Not a flag ID"}
	notCohortID              = kind{code: "not-a-cohort-id", title: "Not a cohort ID"}
	missingPropertyType      = kind{code: "missing-property-type", title: "Missing property type"}
	otherGroupType           = kind{code: "other-group-type", title: "Property of another group type"}
	unsupportedOperator      = kind{code: "unsupported-operator", title: "Unsupported operator"}
	unknownOperator          = kind{"unknown-operator", "Unknown operator", true}
	missingPropertyValue     = kind{code: "missing-property-value", title: "Missing property value"}
	invalidDate              = kind{code: "invalid-date", title: "Invalid date"}
	notVersion               = kind{code: "not-a-version", title: "Not a version"}
)

// Questions.
var (
	unusedAttribute       = kind{"unused-attribute", "Attribute does not apply to this question type", true}
	otherQuestionType     = kind{code: "attribute-of-other-question-type", title: "Attribute does not apply to this question type"}
	missingQuestionType   = kind{code: "missing-question-type", title: "Missing question type"}
	missingQuestionText   = kind{code: "missing-question-text", title: "Missing question text"}
	invalidHost           = kind{code: "invalid-host", title: "Invalid host"}
	urlWithoutHost        = kind{code: "url-without-host", title: "URL without a host"}
	invalidEmailAddress   = kind{code: "invalid-email-address", title: "Invalid email address"}
	unsupportedLinkScheme = kind{code: "unsupported-link-scheme", title: "Unsupported link scheme"}
	blankChoice           = kind{code: "blank-choice", title: "Empty choice"}
	duplicateChoice       = kind{code: "duplicate-choice", title: "Duplicate choice"}
	missingChoices        = kind{code: "missing-choices", title: "Missing choices"}
	singleChoice          = kind{code: "single-choice", title: "Single choice"}
	missingScale          = kind{code: "missing-scale", title: "Missing scale"}
	emojiOnLongScale      = kind{code: "emoji-on-long-scale", title: "Emoji on a long scale"}
	thumbsAsNumbers       = kind{code: "thumbs-as-numbers", title: "Thumbs displayed as numbers"}
	npsScale              = kind{code: "nps-without-scale-10", title: "is_nps_question without a scale of 10"}
	missingRuleType       = kind{code: "missing-rule-type", title: "Missing rule type"}
	unusedValue           = kind{code: "unused-value", title: "Unused value"}
	invalidLength         = kind{code: "invalid-length", title: "Invalid number of characters"}
	crossedLengths        = kind{code: "min-length-above-max-length", title: "min_length is greater than max_length"}
	duplicateID           = kind{code: "duplicate-question-id", title: "Duplicate question ID"}
)

// Branching.
var (
	targetOutOfRange       = kind{code: "target-out-of-range", title: "Branching target out of range"}
	unreachableQuestion    = kind{code: "unreachable-question", title: "Unreachable question"}
	deadEnd                = kind{code: "dead-end", title: "Survey does not end"}
	branchesToItself       = kind{code: "branches-to-itself", title: "Question branches to itself"}
	branchingLoop          = kind{code: "branching-loop", title: "Branching loop"}
	missingBranchingTarget = kind{code: "missing-branching-target", title: "Missing branching target"}
	otherBranching         = kind{code: "attribute-of-other-branching", title: "Attribute does not apply to this branching type"}
	emptyResponses         = kind{code: "empty-response-values", title: "Empty response_values"}
	invalidBranchingTarget = kind{code: "invalid-branching-target", title: "Invalid branching target"}
	unknownResponseKey     = kind{"unknown-response-key", "Unknown response key", true}
)

// Titles of the errors with which a plan asks for a question's ID.
const (
	TitleAmbiguous = "Ambiguous question"
	TitleReplaces  = "A question replaces another question"
)

// Questions that a plan changes.
var (
	ambiguousQuestion       = kind{code: "ambiguous-question", title: TitleAmbiguous}
	deletedQuestionReturns  = kind{code: "deleted-question-returns", title: "Deleted question returns"}
	possiblyAnotherQuestion = kind{code: "possibly-another-question", title: "Possibly another question"}
	otherAnswers            = kind{code: "answers-of-another-question", title: "Answers of another question"}
	otherID                 = kind{code: "other-question-id", title: "This plan changes the ID of a question"}
	otherType               = kind{code: "other-question-type", title: "This plan changes the type of a question"}
	repeatedQuestion        = kind{code: "repeated-question", title: TitleReplaces}
)

// Conditions.
var (
	hidesAll         = kind{code: "hides-all-surveys", title: "Hides all surveys"}
	missingActionID  = kind{code: "missing-action-id", title: "Missing action ID"}
	missingEventName = kind{code: "missing-event-name", title: "Missing event name"}
)

// Appearance.
var (
	missingWidgetSelector = kind{code: "missing-widget-selector", title: "Missing widgetSelector"}
	shuffledBranching     = kind{code: "shuffled-branching", title: "Shuffled questions cannot branch"}
	notForExternal        = kind{code: "not-for-external-surveys", title: "Not supported by external surveys"}
)

// Languages.
var (
	notLanguage        = kind{code: "not-a-language-code", title: "Not a language code"}
	translatedChoices  = kind{code: "translated-choices", title: "Translated choices do not match"}
	translatedIntoBase = kind{code: "translated-into-base-language", title: "Translation into the base language"}
	duplicateLanguage  = kind{code: "duplicate-language", title: "Duplicate language"}
)
