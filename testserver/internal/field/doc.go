// Package field has what the fields of a request may be: tables of columns, one reader for
// them, in the way of the document or of the hosted service, and the failure with which the
// service refuses the first field that is wrong. Which columns an object has, other packages
// say.
package field
