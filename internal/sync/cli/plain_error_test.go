package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Users never see a library's error text without an explanation.
func TestPlainError(t *testing.T) {
	t.Parallel()
	_, numErr := strconv.Atoi("x")
	syntaxErr := json.Unmarshal([]byte("vvv"), new(any))
	typeErr := json.Unmarshal([]byte(`{"surveys": "x"}`), new(struct{ Surveys []int }))
	for want, err := range map[string]error{
		"file:a.json: a.json does not exist":                                                         fmt.Errorf("file:a.json: %w", &fs.PathError{Op: "open", Path: "a.json", Err: syscall.ENOENT}),
		"a.json cannot be used: the permissions of the file or its directory do not allow it":        &fs.PathError{Op: "lstat", Path: "a.json", Err: syscall.EACCES},
		". cannot be used: is a directory":                                                           &fs.PathError{Op: "read", Path: ".", Err: syscall.EISDIR},
		"b cannot be used: no space left on device":                                                  &os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.ENOSPC},
		"there is no directory x: create it":                                                         fmt.Errorf("there is no directory x: create it: %w", fs.ErrNotExist),
		`--terraform: the program "tf" could not be started: it does not exist or is not executable`: fmt.Errorf("--terraform: %w", &exec.Error{Name: "tf", Err: exec.ErrNotFound}),
		"no response from http://127.0.0.1:1: connection refused": &url.Error{Op: "Get", URL: "http://127.0.0.1:1", Err: &net.OpError{
			Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED),
		}},
		"not a snapshot: invalid JSON at byte 1":              fmt.Errorf("not a snapshot: %w", syntaxErr),
		`the string at byte 15 has the wrong type: "Surveys"`: typeErr,
		"--max-deletes \"x\": it must be a number":            fmt.Errorf("--max-deletes %q: %w", "x", numErr),
		"the plan: it is empty or incomplete":                 fmt.Errorf("the plan: %w", io.ErrUnexpectedEOF),
		"our own":                                             errors.New("our own"),
	} {
		assert.Equal(t, want, plainError(err))
	}
}
