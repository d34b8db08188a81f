package answers

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// edit is a change to a list with at least one question.
type edit func(w *world, t *rapid.T, list []Question) []Question

// edits are changes that teammates make in PostHog and engineers make in the configuration. The log of a
// failed sequence contains their names.
var edits = map[string]edit{
	"reword by a word": func(w *world, t *rapid.T, list []Question) []Question {
		i := pick(t, list)
		list[i].Text = w.rewordOnce(t, list[i].Text)
		return list
	},
	"reword wholly": func(w *world, t *rapid.T, list []Question) []Question {
		list[pick(t, list)].Text = w.newText(t)
		return list
	},
	"change content": func(w *world, t *rapid.T, list []Question) []Question {
		i := pick(t, list)
		list[i].Content = w.newContent(t, list[i].Type)
		return list
	},
	"retype": func(w *world, t *rapid.T, list []Question) []Question {
		i := pick(t, list)
		list[i].Type = rapid.SampledFrom(types).Draw(t, "type")
		list[i].Content = w.newContent(t, list[i].Type)
		return list
	},
	"insert": func(w *world, t *rapid.T, list []Question) []Question {
		return w.insert(t, list, w.newQuestion(t))
	},
	"ask again": func(w *world, t *rapid.T, list []Question) []Question {
		if len(w.gone) == 0 {
			return list
		}
		q := rapid.SampledFrom(w.gone).Draw(t, "gone")
		q.Who = w.newWho()
		return w.insert(t, list, q)
	},
	"insert an equal twin": func(w *world, t *rapid.T, list []Question) []Question {
		q := list[pick(t, list)]
		q.Who = w.newWho()
		return w.insert(t, list, q)
	},
	"insert a twin with other content": func(w *world, t *rapid.T, list []Question) []Question {
		q := list[pick(t, list)]
		q.Who, q.Content = w.newWho(), w.newContent(t, q.Type)
		return w.insert(t, list, q)
	},
	"delete":        func(w *world, t *rapid.T, list []Question) []Question { return w.remove(list, pick(t, list)) },
	"delete a twin": (*world).deleteTwin,
	"move": func(_ *world, t *rapid.T, list []Question) []Question {
		return move(list, pick(t, list), pick(t, list))
	},
	"move, and reword another": func(w *world, t *rapid.T, list []Question) []Question {
		i := pick(t, list)
		list[i].Text = w.rewordOnce(t, list[i].Text)
		return move(list, pick(t, list), pick(t, list))
	},
	"decompose letters": func(_ *world, t *rapid.T, list []Question) []Question {
		i := pick(t, list)
		list[i].Text = decomposed.Replace(list[i].Text)
		return list
	},
}

func pick(t *rapid.T, list []Question) int { return rapid.IntRange(0, len(list)-1).Draw(t, "at") }

func move(list []Question, source, target int) []Question {
	q := list[source]
	return slices.Insert(slices.Delete(list, source, source+1), target, q)
}

func (w *world) insert(t *rapid.T, list []Question, q Question) []Question {
	q.ID = ""
	if len(list) >= w.most {
		return list
	}
	return slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), q)
}

// remove deletes a question unless it is the only one.
func (w *world) remove(list []Question, i int) []Question {
	if len(list) == 1 {
		return list
	}
	w.gone = append(w.gone, list[i])
	return slices.Delete(list, i, i+1)
}

func (w *world) deleteTwin(t *rapid.T, list []Question) []Question {
	var twins []int
	for i, q := range list {
		if slices.ContainsFunc(list, func(candidate Question) bool { return candidate.Who != q.Who && candidate.isAlike(q) }) {
			twins = append(twins, i)
		}
	}
	if len(twins) == 0 {
		return list
	}
	return w.remove(list, rapid.SampledFrom(twins).Draw(t, "twin"))
}

// edit makes a few random edits to a list.
func (w *world) edit(t *rapid.T, list []Question, limit int) []Question {
	names := make([]string, 0, len(edits))
	for name := range edits {
		names = append(names, name)
	}
	slices.Sort(names)

	list = slices.Clone(list)
	for range rapid.IntRange(min(limit, 1), limit).Draw(t, "edits") {
		name := rapid.SampledFrom(names).Draw(t, "edit")
		w.note("  %s", name)
		list = edits[name](w, t, list)
	}
	return list
}

// state sets the ID of a question in the configuration, or removes it.
func (w *world) state(t *rapid.T, list []Question) {
	i := pick(t, list)
	switch {
	case list[i].ID != "":
		list[i].ID = ""
	default:
		list[i].ID = w.currentID(list[i].Who)
	}
}

// currentID returns the ID of a question in PostHog. If it has none, currentID returns an ID under which it has
// answers.
func (w *world) currentID(key int) string {
	if i := findQuestion(w.live, key); i >= 0 && w.live[i].ID != "" && slices.Contains(w.answers[w.live[i].ID], key) {
		return w.live[i].ID
	}
	ids := make([]string, 0, len(w.answers))
	for id, whos := range w.answers {
		if slices.Contains(whos, key) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, strings.Compare)
	if len(ids) > 0 {
		return ids[0]
	}
	if i := findQuestion(w.live, key); i >= 0 {
		return w.live[i].ID
	}
	return ""
}
