# Surveys that ran are not deleted.
# Their responses belong to somebody. Archived surveys keep them in sight.
package main

import data.plan

deny contains message if {
	some change in plan.removed_surveys
	change.change.before.start_date != null
	object.get(change.change.before, "deletion_policy", "delete") in {"delete", null}
	message := sprintf("%s ran, and would be deleted: apply deletion_policy = \"archive\" first", [change.address])
}
