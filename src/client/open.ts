/**
 * One of the values that this release knows, or one that a newer service has: answers may get new
 * ones. Editors offer the known ones.
 */
export type Open<Known extends string> = Known | (string & {})
