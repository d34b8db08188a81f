package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
)

// ListenError is the error for an address on which a program cannot listen. Its text explains the cause.
type ListenError struct {
	Address string
	cause   error
}

// Listen listens on a TCP address. Its error is a [ListenError].
func Listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &ListenError{address, err}
	}
	return listener, nil
}

func (e *ListenError) Error() string {
	return fmt.Sprintf("cannot listen on %s: %s", e.Address, e.reason())
}

func (e *ListenError) Unwrap() error { return e.cause }

// reason explains the cause without the names of system calls.
func (e *ListenError) reason() string {
	_, isMalformed := errors.AsType[*net.AddrError](e.cause)
	_, isUnknown := errors.AsType[*net.DNSError](e.cause)
	operation, hasOperation := errors.AsType[*net.OpError](e.cause)
	switch {
	case isMalformed:
		return "it must be a host and a port between 0 and 65535, such as 127.0.0.1:8080"
	case isUnknown:
		return "the host name, or the name of the port, does not exist"
	case errors.Is(e.cause, syscall.EADDRINUSE):
		return "another program uses this port"
	case errors.Is(e.cause, syscall.EADDRNOTAVAIL):
		return "this machine does not have the IP address"
	case errors.Is(e.cause, fs.ErrPermission):
		return "the operating system does not allow this user to use the port"
	case hasOperation:
		return operation.Err.Error()
	}
	return e.cause.Error()
}
