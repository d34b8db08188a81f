package fastpath

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Object is an object as Terraform sends it: the names of its attributes in order,
// and their values undecoded.
type Object []field

type field struct{ name, value []byte }

var errShape = errors.New("not an object as Terraform sends it")

// objectOf splits the outermost object of a value. Terraform may send JSON too, and
// does not; that is an error, as null is.
func objectOf(value *tfprotov6.DynamicValue) (Object, error) {
	if value == nil {
		return nil, errShape
	}
	return split(value.MsgPack)
}

func split(data []byte) (Object, error) {
	in := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(in)
	n, err := d.DecodeMapLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}
	at := func() int { return len(data) - in.Len() }
	fields := make(Object, n)
	for i := range fields {
		length, err := d.DecodeBytesLen()
		if err != nil || length < 0 || length > in.Len() {
			return nil, errShape
		}
		fields[i].name = data[at() : at()+length]
		if _, err := in.Seek(int64(length), io.SeekCurrent); err != nil {
			return nil, err
		}
		begin := at()
		if err := d.Skip(); err != nil {
			return nil, err
		}
		fields[i].value = data[begin:at()]
	}
	return fields, nil
}

// elements splits a list.
func elements(data []byte) ([][]byte, error) {
	in := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(in)
	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}
	out := make([][]byte, n)
	for i := range out {
		begin := len(data) - in.Len()
		if err := d.Skip(); err != nil {
			return nil, err
		}
		out[i] = data[begin : len(data)-in.Len()]
	}
	return out, nil
}

// digest feeds a value to a hash. Terraform sends the keys of a map in order, the
// framework in any.
func digest(to hash.Hash, value []byte) error {
	switch {
	case len(value) > 0 && (msgpcode.IsFixedMap(value[0]) || value[0] == msgpcode.Map16 || value[0] == msgpcode.Map32):
		fields, err := split(value)
		if err != nil {
			return err
		}
		slices.SortFunc(fields, func(a, b field) int { return bytes.Compare(a.name, b.name) })
		to.Write(fmt.Appendf(nil, "object of %d ", len(fields)))
		for _, f := range fields {
			to.Write(fmt.Appendf(nil, "%q ", f.name))
			if err := digest(to, f.value); err != nil {
				return err
			}
		}
	case len(value) > 0 && (msgpcode.IsFixedArray(value[0]) || value[0] == msgpcode.Array16 || value[0] == msgpcode.Array32):
		list, err := elements(value)
		if err != nil {
			return err
		}
		to.Write(fmt.Appendf(nil, "list of %d ", len(list)))
		for _, element := range list {
			if err := digest(to, element); err != nil {
				return err
			}
		}
	default:
		to.Write(value)
	}
	return nil
}

// sameMap compares two maps whose keys may be in any order.
func sameMap(a, b []byte) bool {
	left, err := split(a)
	right, errRight := split(b)
	if err != nil || errRight != nil || len(left) != len(right) {
		return false
	}
	for _, f := range left {
		if !bytes.Equal(f.value, right.raw(string(f.name))) {
			return false
		}
	}
	return true
}

func isNull(value []byte) bool { return len(value) == 1 && value[0] == msgpcode.Nil }

// raw is the value of an attribute, nil when there is none of that name.
func (o Object) raw(name string) []byte {
	for _, f := range o {
		if string(f.name) == name {
			return f.value
		}
	}
	return nil
}

// has reports whether an attribute is there and not null.
func (o Object) has(name string) bool {
	value := o.raw(name)
	return value != nil && !isNull(value)
}

// String is an attribute that is a string, "" when it is not.
func (o Object) String(name string) string {
	var text string
	if msgpack.Unmarshal(o.raw(name), &text) != nil {
		return ""
	}
	return text
}

// Int64 is an attribute that is an integer, 0 when it is not.
func (o Object) Int64(name string) int64 {
	var number int64
	if msgpack.Unmarshal(o.raw(name), &number) != nil {
		return 0
	}
	return number
}

// only is an object of some of the attributes, encoded.
func (o Object) only(names ...string) ([]byte, error) {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	if err := e.EncodeMapLen(len(names)); err != nil {
		return nil, err
	}
	for _, name := range names {
		value := o.raw(name)
		if value == nil {
			return nil, errShape
		}
		if err := e.EncodeString(name); err != nil {
			return nil, err
		}
		out.Write(value)
	}
	return out.Bytes(), nil
}
