import type { Schemas } from '../../data/api.ts'

/** What an account is called: by its name, or else by what it is. */
export const nameOfAccount = ({
  name,
  mask,
  subtype,
  type,
}: Schemas['DashboardAccount']): string => {
  const words = name ?? subtype ?? type
  return mask === null ? words : `${words} ···${mask}`
}
