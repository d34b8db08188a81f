package doctor

// Code says what a check found.
type Code string

// The codes of the checks of the service.
const (
	Unreachable     Code = "unreachable"
	Reachable       Code = "reachable"
	KeyRefused      Code = "key_refused"
	KeyAccepted     Code = "key_accepted"
	ClockUnknown    Code = "clock_unknown"
	ClockDiffers    Code = "clock_differs"
	ClockAgrees     Code = "clock_agrees"
	ParentReadable  Code = "parent_readable"
	ParentForbidden Code = "parent_forbidden"
	ParentUnknown   Code = "parent_unknown"
	PagesSmaller    Code = "pages_smaller"
	PagesFull       Code = "pages_full"
	ScopeMissing    Code = "scope_missing"
	ScopeHeld       Code = "scope_held"
	ScopeUnknown    Code = "scope_unknown"
	// ScopeAdvised is a missing scope without which less is known.
	ScopeAdvised Code = "scope_advised"
	// AppsRemoved is a service that has removed import apps.
	AppsRemoved  Code = "apps_removed"
	Throttled    Code = "throttled"
	NotThrottled Code = "not_throttled"
)

// The codes of the checks of the program that plans.
const (
	PlannerMissing    Code = "planner_missing"
	PlannerUnusable   Code = "planner_unusable"
	PlannerTooOld     Code = "planner_too_old"
	PlannerFits       Code = "planner_fits"
	ProviderInstalled Code = "provider_installed"
	ProviderNotNeeded Code = "provider_not_needed"
	ProviderMissing   Code = "provider_missing"
)

// The codes of the checks of a survey.
const (
	Archived Code = "archived"
	// EndsLater is a survey with an end date to come, which is over all the same; StartsLater
	// one with a start date to come, which runs.
	EndsLater   Code = "ends_later"
	StartsLater Code = "starts_later"
	Stopped     Code = "stopped"
	Draft       Code = "draft"
	Running     Code = "running"

	TypeMissing  Code = "type_missing"
	TypeAPI      Code = "type_api"
	TypeExternal Code = "type_external"
	TypeShown    Code = "type_shown"

	ProjectNotAsked   Code = "project_not_asked"
	ProjectUnknown    Code = "project_unknown"
	ProjectSwitchedOn Code = "project_switched_on"
	ProjectOff        Code = "project_off"

	FlagNone        Code = "flag_none"
	FlagDeleted     Code = "flag_deleted"
	FlagOff         Code = "flag_off"
	FlagReachesNone Code = "flag_reaches_none"
	// FlagMatchesNobody is a flag whose groups contradict themselves.
	FlagMatchesNobody Code = "flag_matches_nobody"
	FlagOn            Code = "flag_on"
	InternalFlagOff   Code = "internal_flag_off"

	ConditionsUnreadable Code = "conditions_unreadable"
	ConditionsNeeded     Code = "conditions_needed"
	URLNoPattern         Code = "url_no_pattern"
	VariantWithoutFlag   Code = "variant_without_flag"
	VariantUnknown       Code = "variant_unknown"

	LimitNone        Code = "limit_none"
	LimitReached     Code = "limit_reached"
	LimitUncountable Code = "limit_uncountable"
	LimitNotReached  Code = "limit_not_reached"
)

// The codes of the checks of a survey in one visit.
const (
	VisitFlagOff      Code = "visit_flag_off"
	VisitOtherVariant Code = "visit_other_variant"
	VisitNotTargeted  Code = "visit_not_targeted"
	// VisitSeen is a survey that the person has answered or dismissed, or one of several within
	// the wait period.
	VisitSeen        Code = "visit_seen"
	VisitOtherURL    Code = "visit_other_url"
	VisitOtherDevice Code = "visit_other_device"
	// VisitWaits is a survey whose conditions only the page itself can meet.
	VisitWaits Code = "visit_waits"
)

// Codes are all codes.
func Codes() []Code {
	return []Code{
		Unreachable, Reachable, KeyRefused, KeyAccepted, ClockUnknown, ClockDiffers, ClockAgrees, ParentReadable, ParentForbidden,
		ParentUnknown, PagesSmaller, PagesFull, ScopeMissing, ScopeHeld, ScopeUnknown, ScopeAdvised, AppsRemoved, Throttled, NotThrottled,
		PlannerMissing, PlannerUnusable, PlannerTooOld, PlannerFits, ProviderInstalled, ProviderNotNeeded, ProviderMissing,
		Archived, EndsLater, StartsLater, Stopped, Draft, Running, TypeMissing, TypeAPI, TypeExternal, TypeShown,
		ProjectNotAsked, ProjectUnknown, ProjectSwitchedOn, ProjectOff,
		FlagNone, FlagDeleted, FlagOff, FlagReachesNone, FlagMatchesNobody, FlagOn, InternalFlagOff,
		ConditionsUnreadable, ConditionsNeeded, URLNoPattern, VariantWithoutFlag, VariantUnknown,
		LimitNone, LimitReached, LimitUncountable, LimitNotReached,
		VisitFlagOff, VisitOtherVariant, VisitNotTargeted, VisitSeen, VisitOtherURL, VisitOtherDevice, VisitWaits,
	}
}
