import type { Session } from './session.ts'
import type { Tenant } from './tenants.ts'

/** Takes a tenant's faults away, so that what follows means what it says. */
export async function quiet(session: Session, who: number): Promise<void> {
  const tenant = session.tenants[who] as Tenant
  for (let tries = 0; tenant.pending.length > 0 && tries < 20; tries += 1) {
    await session.ask('sandboxErrorClear', who, {})
  }
}

/** The token of an Item that the tenant has not removed. */
export const liveItem = ({ memory }: Session, who: number): string | undefined =>
  memory.all('item').findLast((one) => one.owner === who && !one.ended)?.value

/** Fails with these words unless it is so. */
export function must(session: Session, holds: boolean, words: string): void {
  if (!holds) session.fail(words)
}

/** Moves a tenant's clock. */
export const advance = (session: Session, who: number, seconds: number) =>
  session.ask('sandboxClockAdvance', who, { seconds })
