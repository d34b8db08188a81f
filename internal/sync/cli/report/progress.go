package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// interval is the time between two lines of plain progress.
const interval = 5 * time.Second

// barWidth is the width of a line with a bar.
const barWidth = 64

// Progress shows the progress of a long command. On a terminal, it shows bars; otherwise, it prints a line
// every few seconds. It is safe for concurrent use.
type Progress struct {
	out   io.Writer
	now   func() time.Time
	off   bool
	bars  *mpb.Progress
	mu    sync.Mutex
	last  time.Time
	tasks []*Task
}

// ProgressOptions are the options of NewProgress.
type ProgressOptions struct {
	// Terminal is set if the output is a terminal, which can show bars.
	Terminal bool
	// Off disables all output.
	Off bool
	// Now is the clock for plain lines. The first line is printed one interval after NewProgress.
	Now func() time.Time
}

// NewProgress returns a Progress that writes to out.
func NewProgress(out io.Writer, o ProgressOptions) *Progress {
	p := &Progress{out: out, now: o.Now, off: o.Off, last: o.Now()}
	if o.Terminal && !o.Off {
		p.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(barWidth), mpb.WithAutoRefresh())
	}
	return p
}

// Logf writes a line above the bars.
func (p *Progress) Logf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logf(format, args...)
}

func (p *Progress) logf(format string, args ...any) {
	out := p.out
	if p.bars != nil {
		out = p.bars
	}
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}

// Close ends all tasks, and waits until the bars are rendered for the last time. Logf still works
// afterwards.
func (p *Progress) Close() {
	p.mu.Lock()
	tasks, bars := p.tasks, p.bars
	p.tasks, p.bars = nil, nil
	p.mu.Unlock()

	if bars == nil {
		return
	}
	for _, t := range tasks {
		// An unfinished bar stops at its position.
		t.bar.Abort(false)
	}
	bars.Wait()
}

// Task counts the steps of a command, such as the surveys that it has read.
type Task struct {
	progress    *Progress
	name        string
	done, total int64
	bar         *mpb.Bar
}

// Task starts a task. The total is unknown until SetTotal is called.
func (p *Progress) Task(name string) *Task {
	t := &Task{progress: p, name: name}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bars != nil {
		t.bar = p.bars.AddBar(0,
			mpb.PrependDecorators(decor.Name(name, decor.WCSyncSpaceR), decor.CountersNoUnit("%d of %d", decor.WCSyncSpace)),
			mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_MMSS)))
		p.tasks = append(p.tasks, t)
	}
	return t
}

// SetTotal sets the number of steps of the task.
func (t *Task) SetTotal(total int64) {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	t.total = total
	if t.bar != nil {
		t.bar.SetTotal(total, false)
	}
}

// Add counts completed steps, and prints a line if one is due.
func (t *Task) Add(steps int) {
	p := t.progress
	p.mu.Lock()
	defer p.mu.Unlock()
	t.done += int64(steps)

	switch now := p.now(); {
	case p.off:
	case t.bar != nil:
		t.bar.IncrBy(steps)
	case now.Sub(p.last) >= interval:
		p.last = now
		p.logf("%s", t)
	}
}

// String formats the progress of the task.
func (t *Task) String() string {
	if t.total == 0 {
		return fmt.Sprintf("%s: %d", t.name, t.done)
	}
	return fmt.Sprintf("%s: %d of %d", t.name, t.done, t.total)
}
