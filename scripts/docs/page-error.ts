/** A page that cannot be built as it is written or named, in one line. */
export class PageError extends Error {}
