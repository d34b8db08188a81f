package past_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
)

// list parses questions such as "open:Why?#a single_choice:Pick#b|A|B".
func list(short string) (questions []any) {
	questions = []any{}
	for word := range strings.FieldsSeq(short) {
		kind, rest, _ := strings.Cut(word, ":")
		parts := strings.Split(rest, "|")
		text, id, hasID := strings.Cut(parts[0], "#")
		question := map[string]any{"type": kind, "question": text}
		if hasID {
			question["id"] = id
		}
		if len(parts) > 1 {
			question["choices"] = parts[1:]
		}
		questions = append(questions, question)
	}
	return questions
}

func questions(t *testing.T, short string) []past.Question {
	t.Helper()
	raw, err := json.Marshal(list(short))
	require.NoError(t, err)
	read, ok := past.Questions(raw)
	require.True(t, ok)
	return read
}

// entry returns a log entry that changes one list into another.
func entry(at int, before, after string) map[string]any {
	change := map[string]any{"field": "questions", "before": list(before), "after": list(after)}
	return map[string]any{
		"activity": "updated", "item_id": "s", "created_at": fmt.Sprintf("2026-01-01T%02d:00:00Z", at), "user": map[string]any{"email": "ada@example.com"},
		"detail": map[string]any{"changes": []any{change}},
	}
}

func created() map[string]any { return map[string]any{"activity": "created", "item_id": "s"} }

// feedOf reads a feed of entries, newest first, in pages of the given size.
func feedOf(t *testing.T, size int, entries ...map[string]any) past.Feed {
	t.Helper()
	feed, err := past.ReadFeed(t.Context(), pages(size, entries))
	require.NoError(t, err)
	return feed
}

func pages(size int, entries []map[string]any) func(context.Context, int64, int64) (json.RawMessage, error) {
	return func(_ context.Context, page, _ int64) (json.RawMessage, error) {
		from := min((int(page)-1)*size, len(entries))
		to := min(from+size, len(entries))
		body := map[string]any{"results": entries[from:to]}
		if to < len(entries) {
			body["next"] = "https://example.com/next"
		}
		return json.Marshal(body)
	}
}

// saves builds a feed in which a survey had these lists, oldest first, and returns its timeline.
func saves(t *testing.T, lists ...string) *past.Timeline {
	t.Helper()
	entries := []map[string]any{created()}
	for k, after := range lists[1:] {
		entries = append(entries, entry(k+1, lists[k], after))
	}
	slices.Reverse(entries)
	return past.Follow(questions(t, lists[len(lists)-1]), feedOf(t, 2, entries...))
}

// idsOf returns the IDs that each question of the survey had, and how it was recognized.
func idsOf(timeline *past.Timeline) []string {
	var all []string
	for _, line := range timeline.LiveLineages() {
		var ids []string
		for _, held := range line.Holdings {
			ids = append(ids, strings.TrimSuffix(held.ID+"/"+string(held.Match), "/"))
		}
		all = append(all, strings.Join(ids, " "))
	}
	return all
}

// A question without its ID is recognized by its type, text, and content. Equal ones are
// interchangeable. Any other question is new.
func TestFollow(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		lists []string
		want  []string
	}{
		"kept":                            {[]string{"open:A#a open:B#b", "open:B#b open:X#a"}, []string{"b", "a"}},
		"cut":                             {[]string{"open:A#a open:B#b", "open:B#n open:A#m"}, []string{"b n/text", "a m/text"}},
		"cut twice, reworded between":     {[]string{"open:A#a", "open:A#n", "open:X#n", "open:X#m"}, []string{"a n/text m/text"}},
		"cut and reworded":                {[]string{"open:Why#a", "open:Why?#n"}, []string{"n"}},
		"cut and retyped":                 {[]string{"open:A#a", "link:A#n"}, []string{"n"}},
		"cut and copied":                  {[]string{"open:A#a", "open:A#n open:A#m"}, []string{"a n/text", "m"}},
		"alike, in a save of ids alone":   {[]string{"open:A#a open:A#b", "open:A#n open:A#m"}, []string{"a n/text", "b m/text"}},
		"alike, in a save of more":        {[]string{"open:A#a open:A#b open:C#c", "open:A#n open:A#m open:D#c"}, []string{"a n/text", "b m/text", "c"}},
		"alike, one of them kept":         {[]string{"open:A#a open:A#b", "open:A#b open:A#n"}, []string{"b", "a n/text"}},
		"alike but for choices":           {[]string{"single_choice:P#a|x|y single_choice:P#b|z", "single_choice:P#n|z single_choice:P#m|x|y"}, []string{"b n/text", "a m/text"}},
		"gone and asked again":            {[]string{"open:A#a open:B#b", "open:B#b", "open:B#b open:A#n"}, []string{"b", "n"}},
		"gone, another asked so":          {[]string{"open:A#a open:B#b", "open:A#b", "open:X#b", "open:X#b open:A#n"}, []string{"b", "n"}},
		"gone, another takes its words":   {[]string{"open:A#a open:B#b", "open:B#b", "open:A#n"}, []string{"n"}},
		"restored":                        {[]string{"open:A#a", "open:A#n", "open:A#a"}, []string{"a n/text"}},
		"taken for one, and two after":    {[]string{"open:A#a", "open:A#n", "open:A#n open:A#a"}, []string{"n", "a"}},
		"taken for one, the old one back": {[]string{"open:A#a", "open:B#b", "open:A#n", "open:A#a open:A#n"}, []string{"a", "n"}},
		"a deleted ID replaces another":   {[]string{"open:A#a open:B#b", "open:B#b", "open:A#n open:B#b", "open:A#a open:B#b open:A#m"}, []string{"a", "b", "m"}},
		"without ids":                     {[]string{"open:A#a open:B#b", "open:A open:B", "open:A open:B#m"}, []string{"a", "b m/text"}},
		"one id for two":                  {[]string{"open:A#a", "open:A#a open:B#a"}, []string{"a", "a"}},
	} {
		assert.Equal(t, c.want, idsOf(saves(t, c.lists...)), name)
	}

	assert.True(t, saves(t, "open:A#a", "open:A#a open:B#a", "open:A#a").LiveLineages()[0].IsShared)
}

// If no feed entry shows the save, only IDs are certain.
func TestFollowWithoutAFeed(t *testing.T) {
	t.Parallel()
	snapshot := past.List{Questions: questions(t, "open:A#a open:B#b"), Source: past.FromSnapshot}
	timeline := past.Follow(questions(t, "open:A#n open:B#b"), past.Feed{}, snapshot)
	assert.Equal(t, []string{"n", "b"}, idsOf(timeline))
	require.Len(t, timeline.MissingLineages(), 1)
	assert.Equal(t, past.FromSnapshot, timeline.MissingLineages()[0].Holdings[0].Source)
	assert.Equal(t, timeline.MissingLineages(), timeline.Predecessors(timeline.LiveLineages()[0], identity.Compare))

	equal := past.List{Questions: questions(t, "open:What_do_you_like_here?#a open:What_do_you_like_here?#b"), Source: past.FromSnapshot}
	timeline = past.Follow(questions(t, "open:What_do_you_like_most_here?#n"), past.Feed{}, equal)
	assert.Equal(t, timeline.MissingLineages(), timeline.Predecessors(timeline.LiveLineages()[0], identity.Compare), "each of two equal questions must be a possible predecessor")
	assert.Len(t, timeline.MissingLineages(), 2)

	cut := feedOf(t, 10, entry(2, "open:A#n", "open:A#m"), entry(1, "open:A#a", "open:B#a"))
	assert.Equal(t, []string{"n m/text"}, idsOf(past.Follow(questions(t, "open:A#m"), cut)), "edits between two log entries must be detected")
	assert.False(t, cut.IsComplete)
	assert.Equal(t, []string{"x"}, idsOf(past.Follow(questions(t, "open:A#x"), cut)), "edits after the last log entry must not be attributed to it")
}

// A snapshot that the feed already contains adds nothing, but an older one does.
func TestFollowOlderLists(t *testing.T) {
	t.Parallel()
	feed := feedOf(t, 10, entry(1, "open:A#a", "open:A#n"))
	known := past.List{Questions: questions(t, "open:A#a"), Source: past.FromSnapshot}
	older := past.List{Questions: questions(t, "open:A#a open:Z#z"), Source: past.FromState}
	timeline := past.Follow(questions(t, "open:A#n"), feed, older, known)
	assert.Len(t, timeline.Lists, 3)
	assert.Equal(t, []string{"a n/text"}, idsOf(timeline))
	assert.Len(t, timeline.MissingLineages(), 1)
}

// A feed is read to its end, page by page. Each entry is read once, even if newer entries shift the pages.
func TestReadFeed(t *testing.T) {
	t.Parallel()
	entries := []map[string]any{entry(3, "open:A#n", "open:A#m"), entry(2, "open:A#a", "open:A#n"), created()}
	for size := 1; size <= 4; size++ {
		feed := feedOf(t, size, entries...)
		require.Len(t, feed.Requests, 3)
		assert.True(t, feed.IsComplete)
		assert.Equal(t, "created", feed.Requests[0][0].Activity.ValueString())
	}

	moved := pages(1, append([]map[string]any{entry(4, "open:A#m", "open:A#k")}, entries...))
	first := pages(1, entries)
	feed, err := past.ReadFeed(t.Context(), func(ctx context.Context, page, size int64) (json.RawMessage, error) {
		if page == 1 {
			return first(ctx, page, size)
		}
		return moved(ctx, page, size)
	})
	require.NoError(t, err)
	assert.Len(t, feed.Requests, 3, "the pages must not repeat or lose requests if a new entry shifts them")

	feed, err = past.ReadFeed(t.Context(), func(ctx context.Context, page, size int64) (json.RawMessage, error) {
		if page == 2 {
			return nil, errors.New("cut off")
		}
		return first(ctx, page, size)
	})
	require.NoError(t, err)
	require.EqualError(t, feed.CutOff, "cut off")
	assert.False(t, feed.IsComplete)

	for body, complaint := range map[string]string{"": past.ErrNoFeed.Error(), "null": past.ErrNoFeed.Error(), "{}": "could not parse the activity feed: it does not contain a list of results"} {
		_, err := past.ReadFeed(t.Context(), func(context.Context, int64, int64) (json.RawMessage, error) { return json.RawMessage(body), nil })
		require.EqualError(t, err, complaint, body)
	}
}

// The first launch comes from the log, or from the start date with which the survey was created.
func TestFirstLaunch(t *testing.T) {
	t.Parallel()
	dated := func(before, after any) map[string]any {
		e := entry(5, "", "")
		e["detail"] = map[string]any{"changes": []any{map[string]any{"field": "start_date", "before": before, "after": after}}}
		return e
	}
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	logged := time.Date(2026, 1, 1, 5, 0, 0, 0, time.UTC)
	assert.Equal(t, logged, feedOf(t, 10, dated(nil, "2026-01-01T05:00:00Z"), created()).FirstLaunch(start))
	assert.Equal(t, start, feedOf(t, 10, created()).FirstLaunch(start))
	assert.Zero(t, feedOf(t, 10, dated("2025-01-01T00:00:00Z", nil), created()).FirstLaunch(start))
	assert.Zero(t, feedOf(t, 10, dated(nil, "2026-01-01T05:00:00Z")).FirstLaunch(start))
}

// Events show what happened to each question, and which edits are missing from the log.
func TestEvents(t *testing.T) {
	t.Parallel()
	feed := feedOf(t, 10,
		entry(3, "open:A#m open:C#c", "open:A#a open:C#c"),
		entry(2, "open:A#n open:B#b", "link:A#n open:D#d"), entry(1, "open:A#a open:B#b", "open:A#n open:B#b"), created())
	timeline := past.Follow(questions(t, "open:A#a"), feed)

	var said []string
	for _, event := range past.Events(feed, timeline) {
		text := fmt.Sprint(event.Steps)
		for _, change := range event.Questions {
			text += fmt.Sprintf(" %s %s", change.Effect, change.ID)
		}
		said = append(said, text)
	}
	assert.Equal(t, []string{
		"[created]", "[edited] detached n kept b", "[edited] retyped n new d removed b", "[unlogged] new m new c removed n removed d",
		"[edited] restored a kept c removed m", "[unlogged] kept a removed c",
	}, said)
}

// No one can tell which of two equal questions remains after a save that replaced the IDs of both.
func TestLostTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lists []string
		want  bool
	}{
		"one save":                 {[]string{"open:Why?#x open:Why?#y", "open:Why?#z"}, true},
		"one of them keeps its ID": {[]string{"open:Why?#x open:Why?#y", "open:Why?#y"}, false},
		"one after the other":      {[]string{"open:Why?#x open:Why?#y", "open:Why?#y", "open:Why?#z"}, false},
		"other content":            {[]string{"single_choice:Why?#x|A single_choice:Why?#y|B", "single_choice:Why?#z|A"}, false},
		"another text":             {[]string{"open:Why?#x open:How?#y", "open:Why?#z"}, false},
		"never at the same time":   {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#z"}, false},
	} {
		assert.Equal(t, c.want, saves(t, c.lists...).LostTogether("x", "y"), name)
	}
}

// A question that was retyped after a save replaced its ID is still asked.
func TestIsAsked(t *testing.T) {
	t.Parallel()
	timeline := saves(t, "open:Why?#x open:Why?#y open:How?#z", "open:Why?#v open:Why?#w", "open:Why?#v rating:Why?#w")
	for id, want := range map[string]bool{"x": true, "y": true, "v": true, "w": true, "z": false, "unknown": false, "": false} {
		assert.Equal(t, want, timeline.IsAsked(id), id)
	}
}
