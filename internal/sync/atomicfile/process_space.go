package atomicfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync"
)

// processSpace stands for where the number of this process means this process: one start of
// one machine, and on Linux one namespace of processes, since each container counts its own.
var processSpace = sync.OnceValue(func() string {
	// What a system does not have is empty there.
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, _ := os.Readlink("/proc/self/ns/pid")

	sum := sha256.Sum256([]byte(host + "\n" + string(bytes.TrimSpace(boot)) + "\n" + namespace))
	return hex.EncodeToString(sum[:6])
})
