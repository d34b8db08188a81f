package testserver

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// userKeys are the keys of a user as it is nested in created_by.
var userKeys = []key[*store.User]{
	newKey("id", func(b []byte, _ encoding, u *store.User) []byte { return strconv.AppendInt(b, u.ID, 10) }),
	userColumn("uuid"), userColumn("distinct_id"), userColumn("first_name"), userColumn("last_name"),
	userColumn("email"), userColumn("is_email_verified"), userColumn("hedgehog_config"),
}

func userColumn(name string) key[*store.User] {
	i := store.UserTable.Index[name]
	return newKey(name, func(b []byte, _ encoding, u *store.User) []byte { return append(b, u.Values[i]...) })
}

// appendUser writes the user with an id, null when there is none.
func appendUser(b []byte, a encoding, id int64) []byte {
	u := a.store.Users.Get(id)
	if u == nil {
		return append(b, "null"...)
	}
	keys := a.profile.traits().userKeys
	if a.asEntry {
		keys = userKeys
	}
	return appendObject(b, a, "User", keys, u, u.Extra)
}
