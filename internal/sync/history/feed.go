package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
)

// Feed is the activity feed of a survey.
type Feed struct {
	// Requests are its entries, oldest first: the changes of each request.
	Requests [][]activity.Entry
	// IsComplete is set when it begins with the creation of the survey.
	IsComplete bool
	// CutOff is the error because of which older entries were not read; nil for none.
	CutOff error
}

// ErrNoFeed is the error of a service that returns no feed.
var ErrNoFeed = errors.New("the service returned an empty activity feed")

const (
	pageSize = 100
	// mostPages bounds how much of a feed is read: 10,000 requests.
	mostPages = 100
)

// ReadFeed reads a feed page by page, from page 1, the newest. An error of the first page is
// returned; that of an older one cuts the feed off.
func ReadFeed(ctx context.Context, read func(ctx context.Context, page, size int64) (json.RawMessage, error)) (Feed, error) {
	var feed Feed
	var newer [][]activity.Entry
	for page := int64(1); page <= mostPages; page++ {
		requests, hasOlder, err := readPage(ctx, page, read)
		if err != nil && page > 1 {
			feed.CutOff = err
			break
		}
		if err != nil {
			return Feed{}, err
		}

		// An entry that came in since the page before has moved the others on to this one.
		for _, request := range requests {
			if !slices.ContainsFunc(newer, func(seen []activity.Entry) bool { return slices.Equal(seen, request) }) {
				feed.Requests = append(feed.Requests, request)
			}
		}
		if newer = requests; !hasOlder || len(requests) == 0 {
			break
		}
	}

	slices.Reverse(feed.Requests)
	feed.IsComplete = feed.CutOff == nil && len(feed.Requests) > 0 && feed.Requests[0][0].Activity.ValueString() == "created"
	return feed, nil
}

func readPage(ctx context.Context, page int64, read func(ctx context.Context, page, size int64) (json.RawMessage, error)) ([][]activity.Entry, bool, error) {
	body, err := read(ctx, page, pageSize)
	if err != nil {
		return nil, false, err
	}
	requests, hasOlder, err := activity.Page(body)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("the activity feed is not as expected: %w", err)
	case requests == nil && page == 1:
		return nil, false, ErrNoFeed
	}
	return requests, hasOlder, nil
}

// FirstLaunch is when a survey was first launched that has a start date now, as far as a
// complete feed says it; zero if it does not.
func (f Feed) FirstLaunch(start time.Time) time.Time {
	if !f.IsComplete {
		return time.Time{}
	}
	for _, request := range f.Requests {
		for _, entry := range request {
			isStart := entry.Field.ValueString() == "start_date"
			switch {
			case isStart && !entry.Before.IsNull(): // it was created with a start
				return time.Time{}
			case isStart, entry.Activity.ValueString() == "launched":
				return timeOf(entry)
			}
		}
	}
	return start // it was created with it
}

// lists are the lists of questions of a feed, oldest first, each once in a row.
func (f Feed) lists() []List {
	var lists []List
	add := func(raw string, l List) bool {
		questions, ok := Questions([]byte(raw))
		if !ok {
			return false
		}
		if last := len(lists) - 1; last < 0 || !sameQuestions(lists[last].Questions, questions) {
			l.Questions, l.Source = questions, FromFeed
			lists = append(lists, l)
		}
		return true
	}

	for k, request := range f.Requests {
		for _, entry := range request {
			if entry.Field.ValueString() != "questions" {
				continue
			}
			by := List{At: timeOf(entry), By: entry.User.ValueString(), Request: k}
			if !add(entry.Before.ValueString(), List{Request: NoRequest}) || !add(entry.After.ValueString(), by) {
				lists = nil // what is older cannot be followed
			}
		}
	}
	return lists
}

// timeOf is when an entry was made; zero where the feed does not say.
func timeOf(entry activity.Entry) time.Time {
	at, err := time.Parse(time.RFC3339, entry.At.ValueString())
	if err != nil {
		return time.Time{}
	}
	return at
}
