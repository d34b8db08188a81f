// Package delivery reads what the SDKs in apps send when they show surveys: the token of a
// project, bodies in the forms in which browsers and mobile SDKs send them, and the events in
// them. It knows neither stores nor HTTP: which project a token belongs to, and which events
// count, is not its business.
package delivery
