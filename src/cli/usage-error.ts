/** Why a command could not do what was asked, in one line; the exit code is 2. */
export class UsageError extends Error {}
