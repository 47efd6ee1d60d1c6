/** Minor units of an amount of the wire, which has at most two decimals. */
export const toMinor = (amount: number): number => Math.round(amount * 100)

/** The wire's number of minor units. */
export const toAmount = (minor: number): number => minor / 100

/** The wire's decimal string of minor units, such as `245.10`. */
export function toDecimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Minor units of a decimal string that has been checked to have two decimals. */
export const fromDecimal = (decimal: string): number => Number(decimal.replace('.', ''))

/** Whether an amount of the wire has at most two decimals, whatever its binary form adds. */
export const isWholeCents = (amount: number): boolean => toAmount(toMinor(amount)) === amount
