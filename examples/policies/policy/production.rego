# Surveys are launched in the production project alone.
# Elsewhere they are drafts, which people try in the preview.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	plan.launches(change)
	not change.change.after.project_id in data.settings.production_projects
	message := sprintf("%s is launched in project %s, which is not a production project", [change.address, change.change.after.project_id])
}
