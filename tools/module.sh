# Copies and edits the sources of modules, for the scripts that source this file. They set folder, where the copies go, and
# run in the directory of the go.mod and go.sum that pin the modules.

# pinned MODULE prints the version that go.mod requires.
pinned() { awk -v module="$1" '$1 == "require" { $1 = $2; $2 = $3 } $1 == module { print $2; exit }' go.mod; }

# copy MODULE VERSION NAME copies a module, which go.sum verifies if it names that version.
copy() {
	local dir
	dir=$(go mod download -json "$1@$2" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",\{0,1\}$/\1/p')
	cp -R "$dir" "$folder/$3"
	chmod -R u+w "$folder/$3"
}

# edit FILE SCRIPT edits a file with sed, which has to change it.
edit() {
	sed -E "$2" "$1" >"$1.edited"
	if cmp -s "$1" "$1.edited"; then
		echo "$1 has nothing for $2: compare it with the release" >&2
		exit 1
	fi
	mv "$1.edited" "$1"
}
