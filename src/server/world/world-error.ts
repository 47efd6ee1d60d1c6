/** What is wrong with a file of the world: one line for each finding, with its place. */
export class WorldError extends Error {}
