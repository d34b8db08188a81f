package survey

// match says which prior question each planned question is, as an index into
// prior, or -1 for a new one. Past answers hang on a question's id, so a question
// is first looked for by the id that the configuration gives, then by the same
// type and text wherever it moved, then by the same type at the same place, where
// its text was edited. No prior question is given out twice.
//
// It is a pure function of what the questions say; unknown values match nothing.
func match(prior, config []Question) []int {
	found := make([]int, len(config))
	taken := make([]bool, len(prior))
	for i := range found {
		found[i] = -1
	}
	pass := func(same func(i, j int) bool) {
		for i := range config {
			for j := range prior {
				if found[i] < 0 && !taken[j] && same(i, j) {
					found[i], taken[j] = j, true
				}
			}
		}
	}
	named := func(i int) bool { return !config[i].ID.IsNull() }
	pass(func(i, j int) bool { return named(i) && config[i].ID.Equal(prior[j].ID) })
	sameText := func(i, j int) bool {
		return !named(i) && config[i].Type.Equal(prior[j].Type) && config[i].Question.Equal(prior[j].Question)
	}
	// Of two questions with one text, each keeps its place if it can.
	pass(func(i, j int) bool { return i == j && sameText(i, j) })
	pass(sameText)
	pass(func(i, j int) bool { return i == j && !named(i) && config[i].Type.Equal(prior[j].Type) })
	return found
}
