/** How much of each claim a run tries: a few minutes in all, about twenty, or an hour. */
type Scale = 'quick' | 'normal' | 'long'

/** The scale of this run, as `npm run test:trust -- --quick` or `--long` sets it. */
export const scale = (process.env['TRUST_SCALE'] ?? 'quick') as Scale

/** The value for the scale of this run. */
export const atScale = <Value>(values: Record<Scale, Value>): Value => values[scale]

/** Seeds what a run does by chance; printed by the runner, so that a failure can be had again. */
export const seed = Number(process.env['TRUST_SEED'] ?? 1)
