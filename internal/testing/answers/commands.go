package answers

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// run runs a command and checks its result.
func (w *world) run(t *rapid.T, command Command) {
	liveBefore := slices.Clone(w.live)
	report := w.adapter.Run(t, command, slices.Clone(w.code))
	for _, message := range report.Messages {
		w.note("    %.300s", message)
	}

	switch {
	case report.IsRefused, report.IsGuarded && w.isReordered():
		w.answerRefusal(t, report)
		return
	case report.Failure != "" && command == ApplySaved && !w.saved.isCurrent(liveBefore):
		w.saved = nil
		if held := w.adapter.Held(t); !isSameList(held, liveBefore) {
			w.fail(t, "the apply of a stale plan fails, and PostHog asks%s\ninstead of%s", formatQuestions(held), formatQuestions(liveBefore))
		}
		return
	case report.Failure != "":
		w.fail(t, "%s fails: %s", command, report.Failure)
	}

	switch command {
	case Refresh:
		w.see(liveBefore)
		w.saved = nil
	case Import:
		w.forgetVersionsBut(liveBefore)
		w.saved, w.isEdited = nil, false
	case SavePlan:
		w.saved = &savedPlan{slices.Clone(w.code), liveBefore, report.Messages, report.IsEmpty}
	case ApplySaved:
		w.applySavedPlan(t, liveBefore, report)
	case Apply:
		w.apply(t, w.code, liveBefore, report)
		w.planAgain(t)
	case Pull, Export:
		w.take(t, command, report)
	case Repair:
		w.repair(t, liveBefore, report)
	case Plan:
	}
}

// see records that a command has read the questions in PostHog.
func (w *world) see(list []Question) {
	if w.adapter.HasState() {
		w.versions = append(w.versions, slices.Clone(list))
		w.pulled = append(w.pulled, slices.Clone(list))
	}
}

// forgetVersionsBut records that a command has written the questions in PostHog, or that it knows no older versions.
func (w *world) forgetVersionsBut(list []Question) {
	w.versions, w.pulled = nil, nil
	w.see(list)
}

// canRun reports whether a command makes sense in the current situation.
func (w *world) canRun(command string) bool {
	switch Command(command) {
	case ApplySaved:
		return w.saved != nil
	case Import:
		return w.canImport()
	default:
		return true
	}
}

// canImport reports whether the configuration contains the same questions as PostHog. Otherwise, a user who imports
// the survey cannot tell which question is which.
func (w *world) canImport() bool {
	hasIDs := !slices.ContainsFunc(w.live, func(q Question) bool { return q.ID == "" })
	return hasIDs && isSameList(w.code, w.live)
}

// answerRefusal checks a plan that required IDs, and sets these IDs in the configuration.
func (w *world) answerRefusal(t *rapid.T, report Report) {
	if !w.isAmbiguous() {
		w.fail(t, "a plan requires an ID, although no two questions are similar: %s", report.Failure)
	}
	for i, q := range w.code {
		if q.ID == "" {
			w.code[i].ID = w.currentID(q.Who)
		}
	}
	w.saved = nil
	w.note("  configuration:%s", formatQuestions(w.code))
}

// isReordered reports whether the order of questions in PostHog has, or seems to have, changed since the last write.
func (w *world) isReordered() bool {
	order := func(list, reference []Question) []int {
		var whos []int
		for _, q := range list {
			if findQuestion(reference, q.Who) >= 0 {
				whos = append(whos, q.Who)
			}
		}
		return whos
	}
	isTwin := func(q Question) bool { // it may look like a question that moved
		return findQuestion(w.versions[0], q.Who) < 0 && slices.ContainsFunc(w.versions[0], q.isAlike)
	}
	return len(w.versions) > 0 && (slices.ContainsFunc(w.live, isTwin) || !slices.Equal(order(w.versions[0], w.live), order(w.live, w.versions[0])))
}

func (w *world) apply(t *rapid.T, code, liveBefore []Question, report Report) {
	w.judgeApply(t, code, liveBefore, report.Messages)
	w.saved = nil
	if report.IsEmpty {
		w.see(w.live)
	} else {
		w.forgetVersionsBut(w.live)
	}
	w.isEdited = !isSameList(w.code, w.live)
	w.note("  PostHog:%s", formatQuestions(w.live))
}

// applySavedPlan checks the apply of a saved plan. An empty plan writes nothing. If PostHog has changed since the
// plan, the apply could not report the change, so the check requires only that no answers move to other questions.
func (w *world) applySavedPlan(t *rapid.T, liveBefore []Question, report Report) {
	saved := w.saved
	w.saved = nil
	switch {
	case saved.isEmpty:
		w.see(saved.live)
	case saved.isCurrent(liveBefore):
		report.Messages = append(report.Messages, saved.messages...)
		w.apply(t, saved.code, liveBefore, report)
	default:
		w.hold(t, saved.code)
		w.judgeOwners(t, saved.messages)
		w.forgetVersionsBut(w.live)
	}
	w.correctStatedIDs()
}

// correctStatedIDs corrects the IDs in the configuration that an apply of an older configuration has given to other
// questions, as a user would.
func (w *world) correctStatedIDs() {
	for i, q := range w.code {
		if k := indexOfID(w.live, q.ID); q.ID != "" && k >= 0 && w.live[k].Who != q.Who {
			w.code[i].ID = w.currentID(q.Who)
		}
	}
}

// wasEqual reports whether another question was ever equal to q. No one can distinguish a deleted question
// from an equal one that was added later.
func (w *world) wasEqual(q Question, key int) bool {
	return slices.ContainsFunc(append(slices.Clone(w.versions), w.saves...), func(list []Question) bool {
		index := findQuestion(list, key)
		return index >= 0 && list[index].isEqual(q)
	})
}

// isMistakable reports whether a question in PostHog looks like another one that was deleted: with an activity log, in
// a single save, and otherwise between two reads. Without a log, questions that were once equal cannot be distinguished
// after they lose their IDs.
func (w *world) isMistakable(q Question, deleted int, hasLog bool) bool {
	if hasLog {
		return slices.Contains(w.successors(deleted), q.Who)
	}
	return w.isAskedAgain(w.live, q.Who, deleted) || isTwin(w.saves, q.Who, deleted)
}

// planAgain expects an empty plan after an apply.
func (w *world) planAgain(t *rapid.T) {
	if report := w.adapter.Run(t, Plan, slices.Clone(w.code)); !report.IsEmpty {
		w.fail(t, "the plan after an apply is not empty: %s %s", report.Failure, strings.Join(report.Messages, "\n"))
	}
}

// take checks a command that copies edits made in PostHog into the configuration.
func (w *world) take(t *rapid.T, command Command, report Report) {
	liveBefore, versions := w.code, w.versions
	w.versions = w.pulled
	defer func() { w.versions = versions }()
	w.code = w.recognize(t, report.Code)
	w.note("  configuration:%s", formatQuestions(w.code))
	for _, q := range w.code {
		isOther := func(key int) bool {
			return key != q.Who && !w.wasEqual(q, key) && !w.isMistakable(q, key, report.HasLog)
		}
		if stranger := slices.IndexFunc(w.answers[q.ID], isOther); q.ID != "" && stranger >= 0 {
			w.fail(t, "%s states the ID %s for %s, but this ID has answers to #%d", command, q.ID, q, w.answers[q.ID][stranger])
		}
		if owner := w.owners[q.ID]; q.ID != "" && owner != q.Who && findQuestion(w.live, owner) < 0 && findQuestion(w.code, owner) < 0 {
			w.give(q.ID, q.Who) // from now on, the configuration contains q instead of the deleted question
		}
	}

	w.judgeStatedIDs(t, command, liveBefore, report.Messages)

	isTaken := isSameList(w.code, w.live)
	switch {
	case command == Export && !isTaken:
		w.fail(t, "export writes%s\ninstead of%s", formatQuestions(w.code), formatQuestions(w.live))
	case command == Pull && !w.isEdited && report.IsPending:
		w.fail(t, "pull reports a pending edit or a conflict, although the configuration was not edited: %s", strings.Join(report.Messages, "\n"))
	case command == Pull && !w.isEdited && !isTaken:
		w.fail(t, "pull leaves%s\ninstead of%s", formatQuestions(w.code), formatQuestions(w.live))
	}

	w.judgePull(t, liveBefore, report.Messages)
	if w.adapter.HasState() {
		w.pulled = append(w.pulled, slices.Clone(w.live))
	}
	w.isEdited = w.isEdited && !isTaken
}

// recognize identifies the questions in a configuration that a command wrote. Each must exist in PostHog, or in the
// previous configuration.
func (w *world) recognize(t *rapid.T, code []Question) []Question {
	code = slices.Clone(code)
	if slices.EqualFunc(code, w.live, Question.isEqual) { // only the IDs can differ
		for i := range code {
			code[i].Who = w.live[i].Who
		}
		return code
	}

	for i := range code {
		code[i].Who = 0
	}
	sources := slices.Concat(w.live, w.code)
	for _, isSame := range []func(a, b Question) bool{
		func(a, b Question) bool { return a.ID != "" && a.ID == b.ID && a.isAlike(b) },
		Question.isEqual, Question.isAlike,
		func(a, b Question) bool { return composed.Replace(a.Text) == composed.Replace(b.Text) },
	} {
		for i := range code {
			for _, q := range sources {
				if code[i].Who == 0 && isSame(code[i], q) && findQuestion(code, q.Who) < 0 {
					code[i].Who = q.Who
				}
			}
		}
	}

	for i := range code {
		if code[i].Who == 0 && !w.fork(code, i) {
			w.fail(t, "the configuration contains %s, which neither PostHog nor the previous configuration contained:%s", code[i], formatQuestions(code))
		}
	}
	return code
}

// fork handles a question that the configuration now contains twice: in its own version, and in the version
// that PostHog holds after a save that made it unrecognizable. fork gives the second version a new identity.
func (w *world) fork(code []Question, i int) bool {
	for _, base := range w.code {
		own, held, current := i, findQuestion(code, base.Who), findQuestion(w.live, base.Who)
		if held < 0 || current < 0 {
			continue
		}
		if isHeld := w.live[current].isAlike(code[i]) && (w.live[current].ID == "" || w.live[current].ID != base.ID); isHeld {
			own, held = held, i
		}
		if !base.isAlike(code[own]) || w.live[current].isAlike(code[own]) {
			continue
		}
		code[own].Who, code[held].Who = base.Who, w.newWho()
		w.live[current].Who = code[held].Who
		w.give(w.live[current].ID, code[held].Who)
		return true
	}
	return false
}

// repair checks a command that reattaches answers. It must change only IDs.
func (w *world) repair(t *rapid.T, liveBefore []Question, report Report) {
	w.hold(t, liveBefore)
	w.judgeOwners(t, nil)
	for i, q := range w.live {
		isLost := q.ID != liveBefore[i].ID && slices.Contains(w.answers[liveBefore[i].ID], q.Who) && !slices.Contains(w.answers[q.ID], q.Who)
		if isLost {
			w.fail(t, "repair detaches the answers under %s from %s", liveBefore[i].ID, q)
		}
	}
	if report.HasLog {
		w.judgeRepair(t, report.Messages)
	}
	if report.Code != nil {
		w.code = w.recognize(t, report.Code)
	}
	w.note("  PostHog:%s", formatQuestions(w.live))
}
