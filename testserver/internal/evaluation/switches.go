package evaluation

// byEnrollment lets the person decide on an early access feature: whoever has chosen has
// what was chosen.
func (q *query) byEnrollment(flag *Flag) (Result, bool) {
	if !flag.enrolls {
		return Result{}, false
	}

	key := "$feature_enrollment/" + flag.Key
	raw, found := q.person.bag().get(key)
	if !found {
		if q.person.Partial {
			return off(Inconclusive), true
		}
		return Result{}, false
	}
	choice := valueOf(raw)
	return earlyAccess(flag, choice.kind == trueKind || choice.kind == textKind && choice.text == "true"), true
}

func earlyAccess(flag *Flag, isMatch bool) Result {
	return Result{Enabled: isMatch, Payload: flag.payload(nil), Reason: Reason{Code: EarlyAccess, Condition: 0}}
}

// byGate does the same for a feature in the older form, a condition that counts as soon
// as the person has one of its properties.
func (q *query) byGate(flag *Flag) (Result, bool) {
	if flag.gate == nil || flag.enrolls {
		return Result{}, false
	}

	for i := range flag.gate.properties {
		if _, found := q.person.bag().get(flag.gate.properties[i].key); !found {
			continue
		}
		code := q.matchCondition(flag, flag.gate).Code
		if code == Inconclusive {
			return off(Inconclusive), true
		}
		return earlyAccess(flag, code == ConditionMatch), true
	}
	return off(Inconclusive), q.person.Partial && len(flag.gate.properties) > 0
}

// byHoldout keeps people out of experiments, whatever the flag.
func (q *query) byHoldout(flag *Flag) (Result, bool) {
	if flag.holdout == nil {
		return Result{}, false
	}
	if flag.holdout.share < 100 &&
		spread("holdout-"+q.spreadID(flag, flag.aggregation, false)) > flag.holdout.share/100 {
		return Result{}, false
	}

	name := "holdout-" + flag.holdout.id
	return Result{
		Enabled: true, Variant: &name, Payload: flag.payload(&name), Reason: Reason{Code: Holdout, Condition: -1},
	}, true
}
