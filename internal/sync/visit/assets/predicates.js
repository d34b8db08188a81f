// What the translations of posthog-js import of the package that they are a part of.
export const isArray = Array.isArray;
export const isUndefined = (value) => value === undefined;
