package rawjson

import "encoding/json"

// MergePatch applies an RFC 7396 merge patch: objects are merged, null removes a member,
// anything else replaces. Numbers keep their digits.
func MergePatch(target, patch json.RawMessage) json.RawMessage {
	if patch[0] != '{' {
		return patch
	}

	merged := Fields{}
	if IsObject(target) {
		merged = Members(target)
	}
	for name, value := range Members(patch) {
		if value[0] == 'n' {
			delete(merged, name)
			continue
		}
		merged[name] = MergePatch(merged[name], value)
	}
	return Encode(merged)
}
