// Package strictjson reads JSON documents that people write by hand, fixtures and faults,
// and says what is wrong with them by path: "projects[0].nam: unknown key, did you mean
// "name"?".
package strictjson
