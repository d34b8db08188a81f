package delivery

import (
	"encoding/json"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// seen are the properties of events that the service also keeps of their person: where and with
// what the app is used, and which campaign led there.
var seen = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`$app_build $app_name $app_namespace $app_version
		$browser $browser_version $device_type $current_url $pathname $os $os_name $os_version $referring_domain $referrer
		$screen_height $screen_width $viewport_height $viewport_width $raw_user_agent
		utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid wbraid
		fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid`) {
		names[name] = true
	}
	return names
}()

// seenProperties are the properties of a person that come with each event: the first ones, which
// stay, and the latest.
func seenProperties(properties json.RawMessage) (first, latest rawjson.Fields) {
	for quoted, value := range rawjson.Each(properties) {
		name := rawjson.Unquote(quoted)
		if !seen[name] {
			continue
		}
		if name == "$os_name" {
			name = "$os"
		}
		if latest == nil {
			first, latest = rawjson.Fields{}, rawjson.Fields{}
		}
		latest[name] = value
		first["$initial_"+strings.TrimPrefix(name, "$")] = value
	}
	return first, latest
}
