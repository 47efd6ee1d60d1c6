/** Loads the operations of each document without versions that clients call. */
export const unversioned = [() => import('../../generated/platform/operations.ts')]
