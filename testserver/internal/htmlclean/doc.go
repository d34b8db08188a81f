// Package htmlclean cleans texts with markup in them as the hosted service does: what
// is not allowed goes, what is open is closed, what is no markup is escaped.
package htmlclean
