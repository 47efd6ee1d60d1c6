/** The credentials that every fresh sandbox knows. They are public, and no production knows them. */
export const wellKnownClients = [
  { clientId: 'sandbox-client', secret: 'sandbox-secret' },
  { clientId: 'sandbox-partner', secret: 'sandbox-partner-secret' },
] as const

/** The public key of `sandbox-client`, for the searches of older versions. */
export const wellKnownPublicKey = '5a4db07c0ffee00000000000c1ab'

/** The access token of the Item that a fresh sandbox holds for the first of them. */
export const readyAccessToken = 'access-sandbox-00000000-0000-4000-8000-000000000001'
