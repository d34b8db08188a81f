# Import apps come from trusted places.
# They run with access to the events of the organization.
package main

import data.plan

deny contains message if {
	some change in plan.import_apps
	url := change.change.after.url
	is_string(url)
	not trusted(url)
	message := sprintf("%s takes its code from %s, which is not among the trusted sources", [change.address, url])
}

trusted(url) if {
	some prefix in data.settings.trusted_sources
	startswith(url, prefix)
}
