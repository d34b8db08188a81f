package survey

// RememberedLists are the lists of questions that a private state remembers of a survey, newest
// first; none when it remembers nothing.
func RememberedLists(raw []byte) ([][]QuestionKey, error) {
	stored, err := DecodeHistory(raw)
	if err != nil {
		return nil, err
	}

	lists := make([][]QuestionKey, len(stored.Lists))
	for k, places := range stored.Lists {
		for _, place := range places {
			lists[k] = append(lists[k], QuestionKey(stored.Questions[place]))
		}
	}
	return lists, nil
}
