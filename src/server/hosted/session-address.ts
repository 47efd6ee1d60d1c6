import { hostedLinkPath } from '../link/hosted-page.ts'

/** The address of a step of a session. Nothing in it is secret. */
export const addressOf = (sessionId: string, step: string): string =>
  `${hostedLinkPath}/session/${sessionId}/${step}`
