//go:build !windows && (!unix || aix || solaris)

package testserver

import "os"

// lockFile locks nothing: this system has no lock that ends with a process.
func lockFile(string) (*os.File, error) { return nil, nil }

func unlockFile(*os.File) {}
