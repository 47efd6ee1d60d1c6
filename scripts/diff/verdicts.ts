/** What a change means for programs that work today. */
export type Verdict = 'breaking' | 'compatible'

/** Which way a body goes, seen from the client. Webhooks are received, as answers are. */
export type Direction = 'request' | 'answer'

/** What happens to a program that the change breaks, or null where it breaks none. */
type Effect = string | null
type Effects = Partial<Record<Direction | 'always', Effect>>

const compatible = null
const rejected = 'Requests that were right are rejected.'
const fails = 'Programs that rely on the contract as it was fail.'
const unknown = 'No rule says yet what this means to a client.'

/**
 * Every kind of change, and whom it breaks. A request may be accepted in more forms, never in fewer.
 * An answer may be told more exactly, never less, but for what clients are told not to rely on: enum
 * values, lengths, counts and unknown fields. What has no direction has one effect.
 * CONTRIBUTING.md tells this in a table, and each kind has a recorded case in `test/diff/cases`.
 */
export const kinds = {
  'field added': { request: compatible, answer: compatible },
  'required field added': { request: 'Requests without it are rejected.' },
  'field removed': {
    request: 'Requests that carry it are rejected, or it has no effect any more.',
    answer: 'Programs that read it find nothing.',
  },
  'field became required': { request: 'Requests without it are rejected.', answer: compatible },
  'field became optional': {
    request: compatible,
    answer: 'Programs that read it can find nothing.',
  },
  'null allowed': { request: compatible, answer: 'Programs that read it as never null fail.' },
  'null rejected': { request: 'Requests that send null are rejected.', answer: compatible },
  'type widened': { request: compatible, answer: fails },
  'type narrowed': { request: rejected, answer: compatible },
  'type changed': { request: rejected, answer: fails },
  'form added': { request: compatible, answer: fails },
  'form removed': { request: rejected, answer: compatible },
  'value added': { request: compatible, answer: compatible },
  'value removed': { request: rejected, answer: compatible },
  'limit loosened': { request: compatible, answer: fails },
  'limit tightened': { request: rejected, answer: compatible },
  'length or count loosened': { request: compatible, answer: compatible },
  'length or count tightened': { request: rejected, answer: compatible },
  'pattern or format changed': { request: rejected, answer: fails },
  'rule added': { request: rejected, answer: compatible },
  'rule removed': { request: compatible, answer: fails },
  'rule changed': { request: rejected, answer: fails },
  'unknown fields rejected': {
    request: 'Requests with fields that were ignored are rejected.',
    answer: compatible,
  },
  'unknown fields accepted': { request: compatible, answer: compatible },
  'default added': { request: compatible, answer: compatible },
  'default changed': {
    request: 'Requests without the field mean something else.',
    answer: compatible,
  },
  'rejection code changed': { request: compatible, answer: compatible },
  'keyword changed': { request: unknown, answer: unknown },
  deprecated: { request: compatible, answer: compatible, always: compatible },
  'operation added': compatible,
  'operation removed': 'Calls of it fail.',
  'operation renamed': 'Methods and types of clients are named after it.',
  'path changed': 'Calls to the old path fail.',
  'webhook added': compatible,
  'webhook removed': 'Programs that wait for it wait forever.',
  'error added': compatible,
  'error removed': compatible,
  'error status changed': 'Programs that branch on the status miss it.',
  'error code changed': 'Programs that branch on `error_code` miss it.',
  'error type changed': 'Programs that branch on `error_type` miss it.',
  'error advice changed': compatible,
  'no longer safe to repeat': 'Clients that repeat it after a failure do it twice.',
  'safe to repeat': compatible,
  'rate limit lowered': 'Programs that kept within the limit are rejected.',
  'rate limit raised': compatible,
  'body limit lowered': 'Requests whose body was just short enough are rejected.',
  'body limit raised': compatible,
  'pagination changed': 'Clients that turn pages as before miss data.',
  'bearer token not enough': 'Requests that send a token in place of the field are rejected.',
  'bearer token enough': compatible,
  'header required': 'Requests without it are rejected.',
  'header removed': 'Programs that send or read it are ignored.',
  'header optional': 'Programs that rely on it find nothing.',
  'header added': compatible,
  'request body required': 'Requests without a body are rejected.',
  'media type removed': 'Programs that use it fail.',
  'media type added': compatible,
  'success status changed': 'Programs that wait for the old status take success for failure.',
  'error response removed': compatible,
  'response added': compatible,
  'authentication changed': 'Requests with credentials that were right are rejected.',
  'authentication added': compatible,
  'server removed': 'Programs that call this address fail.',
  'server added': compatible,
  'type renamed': 'Programs that import the type by its name do not compile.',
  'type removed': 'Programs that import the type by its name do not compile.',
  'version added': compatible,
  'version removed': 'Programs that name it are rejected.',
  'newest version changed': compatible,
  'other change': unknown,
} satisfies Record<string, Effect | Effects>

export type KindName = keyof typeof kinds

/** The effects of a kind by direction; `always` is that of a change without one. */
export function effectsOf(name: KindName): Effects {
  const kind: Effect | Effects = kinds[name]
  return kind === null || typeof kind === 'string' ? { always: kind } : kind
}

/** What breaks because of the change, or null. */
export function effectOf(name: KindName, direction?: Direction): Effect {
  const effects = effectsOf(name)
  const effect = direction && direction in effects ? effects[direction] : effects.always
  if (effect === undefined)
    throw new Error(`"${name}" has no verdict for ${direction ?? 'what has no direction'}`)
  return effect
}
