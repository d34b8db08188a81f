package testserver

import "strconv"

// userKeys are the keys of a user as it is nested in created_by.
var userKeys = []key[*user]{
	newKey("id", func(b []byte, _ answering, u *user) []byte { return strconv.AppendInt(b, u.id, 10) }),
	userColumn("uuid"), userColumn("distinct_id"), userColumn("first_name"), userColumn("last_name"),
	userColumn("email"), userColumn("is_email_verified"), userColumn("hedgehog_config"),
}

func userColumn(name string) key[*user] {
	i := userTable.Index[name]
	return newKey(name, func(b []byte, _ answering, u *user) []byte { return append(b, u.values[i]...) })
}

// appendUser writes the user with an id, null when there is none.
func appendUser(b []byte, a answering, id int64) []byte {
	u := a.store.users[id]
	if u == nil {
		return append(b, "null"...)
	}
	keys := a.profile.userKeys
	if a.asEntry {
		keys = userKeys
	}
	return appendObject(b, a, "User", keys, u, u.extra)
}
