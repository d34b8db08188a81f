package pull

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
)

// PrivateStates are the private states of the resources in a saved plan, by address and
// key, as they are after the refresh. The format of a plan file is that of one CLI: what
// cannot be read, as in one that OpenTofu has encrypted, is not known, and nil.
func PrivateStates(planFile string) map[string]map[string][]byte {
	archive, err := zip.OpenReader(planFile)
	if err != nil {
		return nil
	}
	defer func() { _ = archive.Close() }()

	file, err := archive.Open("tfstate")
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()

	var state savedState
	if json.NewDecoder(file).Decode(&state) != nil {
		return nil
	}
	return state.private()
}

// savedState is what is needed of a state file.
type savedState struct {
	Resources []struct {
		Module    string `json:"module"`
		Type      string `json:"type"`
		Name      string `json:"name"`
		Instances []struct {
			Index   any    `json:"index_key"`
			Deposed string `json:"deposed"`
			Private string `json:"private"`
		} `json:"instances"`
	} `json:"resources"`
}

func (s savedState) private() map[string]map[string][]byte {
	all := map[string]map[string][]byte{}
	for _, resource := range s.Resources {
		address := resource.Type + "." + resource.Name
		if resource.Module != "" {
			address = resource.Module + "." + address
		}

		for _, instance := range resource.Instances {
			raw, err := base64.StdEncoding.DecodeString(instance.Private)
			var keys map[string][]byte
			if err != nil || instance.Deposed != "" || json.Unmarshal(raw, &keys) != nil {
				continue
			}
			all[address+index(instance.Index)] = keys
		}
	}
	return all
}

// index is the end of an address.
func index(key any) string {
	switch key := key.(type) {
	case nil:
		return ""
	case string:
		return "[" + strconv.Quote(key) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}
