// Package rawjson reads and builds JSON values without decoding them: numbers keep their
// digits, strings their spelling and objects, where that matters, their order.
//
// Values are compact and valid: [Compact] checks what comes from outside, everything else
// relies on it and may panic on anything else. The package knows nothing of what the
// values mean.
package rawjson
