import fc from 'fast-check'

/** In values that no answer and no log line may hold. */
export const canary = 'qzxj'
/** In names of fields, which an error may repeat. */
const keyCanary = 'kqzj'

const long = (length: number): string => `${canary}${'x'.repeat(length)}`

const texts = [
  `${canary}' or '1'='1`,
  `${canary}"; drop table items; --`,
  `'||(select secret_hash from clients)||'${canary}`,
  `%_%${canary}`,
  '%',
  "'",
  '$1',
  '\\',
  `<script>${canary}</script>`,
  `{{${canary}}}\${${canary}}`,
  `../../${canary}/%2e%2e/etc/passwd`,
  `${canary}\r\nSet-Cookie: a=b`,
  `${canary}\u0000`,
  `\ud83d${canary}`,
  `${canary}\ude00`,
  `\u202e${canary}\u2066`,
  `${canary}\u{10ffff}\ufeffﷺ`,
  `e\u0301${canary}`,
  '',
  ' ',
  'null',
  'NaN',
  '-0',
  '1e400',
  'true',
  '__proto__',
  'constructor',
  long(129),
  long(1025),
  long(70_000),
  '9007199254740993',
  '2026-02-30',
  '0000-00-00',
  '2026-13-01T25:61:61Z',
  '+10000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01',
  'http://[::1]:99999/',
  'https://example.com/\u0000',
  'access-sandbox-',
  'access-production-00000000-0000-4000-8000-000000000001',
]

/** What ends a text, or means something, in a language that a text may be put into. */
export const spices = [
  "'",
  "'",
  "'",
  "' --",
  "'",
  '"',
  '\\',
  '%',
  '`',
  '<b>',
  '${',
  '{{',
  '\u0000',
  '\ud800',
  '\u202e',
  ' ',
]

const numbers = [0, -0, -1, 1, 0.1, 1e-7, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63)]

const nested = (levels: number, inner: unknown): unknown => {
  let value = inner
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

const structures: unknown[] = [
  null,
  [],
  {},
  [[]],
  [null],
  true,
  false,
  { toString: canary, valueOf: 1 },
  { length: 1e9 },
  { constructor: { prototype: { polluted: canary } } },
  { $gt: '' },
  nested(50, 1),
  nested(101, canary),
  nested(400, 1),
  Array.from({ length: 300 }, () => canary),
]

/** A value that somebody hopes was not thought of. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(...texts), weight: 5 },
  { arbitrary: fc.constantFrom<unknown>(...numbers), weight: 2 },
  { arbitrary: fc.constantFrom(...structures), weight: 2 },
  { arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }), weight: 1 },
  { arbitrary: fc.double(), weight: 1 },
)

/** A name of a field that somebody hopes means something. */
export const hostileName: fc.Arbitrary<string> = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  `${keyCanary}`,
  `${keyCanary}' --`,
  `<b>${keyCanary}`,
  `${keyCanary}\u0000`,
  `\ud800${keyCanary}`,
  'client_id\u0000',
  'request_id',
  'public_key',
)

/** What is done to the text of a body after it was written. */
export type Trick = (text: string) => string | Uint8Array

const first = (text: string, member: string): string =>
  text === '{}' ? `{${member}}` : text.replace('{', `{${member},`)

const bytes = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding)

/** Texts that are no JSON, or JSON that a careless reader takes for something else. */
export const tricks: Readonly<Record<string, Trick>> = {
  'own __proto__': (text) => first(text, '"__proto__":{"polluted":"yes","access_token":"x"}'),
  'own constructor': (text) => first(text, '"constructor":{"prototype":{"polluted":"yes"}}'),
  'a field twice': (text) => text.replace(/\{("[^"]+"):/, '{$1:"twice",$1:'),
  'client id twice': (text) => first(text, '"client_id":"a","client_id":"b"'),
  '1e400': (text) => first(text, '"count":1e400'),
  '-0': (text) => first(text, '"count":-0'),
  'huge integer': (text) => first(text, `"count":${'9'.repeat(400)}`),
  NaN: (text) => first(text, '"count":NaN'),
  BOM: (text) => `\ufeff${text}`,
  'UTF-16': (text) => bytes(`\ufeff${text}`, 'utf16le'),
  'invalid UTF-8': (text) => Buffer.concat([bytes(text, 'utf8'), Buffer.from([0xc3, 0x28])]),
  'overlong UTF-8': (text) => Buffer.concat([Buffer.from([0xc0, 0xaf]), bytes(text, 'utf8')]),
  'CESU surrogates': (text) =>
    Buffer.concat([bytes(text.slice(0, -1), 'utf8'), Buffer.from([0x2c, 0xed, 0xa0, 0x80, 0x7d])]),
  'cut short': (text) => text.slice(0, -1),
  'more after it': (text) => `${text}{}`,
  'trailing comma': (text) => text.replace(/\}$/, ',}'),
  comment: (text) => `/* ${canary} */${text}`,
  'single quotes': (text) => text.replaceAll('"', "'"),
  'raw NUL': (text) => first(text, '"a":"\u0000"'),
  'escaped NUL': (text) => first(text, `"${keyCanary}":"\\u0000"`),
  'half a pair': (text) => first(text, `"${keyCanary}":"\\ud800"`),
  'array around it': (text) => `[${text}]`,
  'string around it': (text) => JSON.stringify(text),
  null: () => 'null',
  nothing: () => '',
  spaces: () => ' \n\t ',
  'deep arrays': (text) => first(text, `"${keyCanary}":${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  'deep objects': (text) =>
    first(text, `"${keyCanary}":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  'many fields': (text) =>
    first(text, Array.from({ length: 2000 }, (_, index) => `"f${index}":0`).join(',')),
  'white space': (text) => text.replaceAll(',', `,${' '.repeat(1000)}`),
}

/** Headers beside the usual ones; a trick of one request. */
export const headerTricks: Readonly<Record<string, Record<string, string>>> = {
  'a type in capitals': { 'content-type': 'Application/JSON' },
  'utf-8': { 'content-type': 'application/json; charset=utf-8' },
  'another charset': { 'content-type': 'application/json; charset=utf-16' },
  'a type with a parameter': { 'content-type': 'application/json; boundary=x; a' },
  text: { 'content-type': 'text/plain' },
  form: { 'content-type': 'application/x-www-form-urlencoded' },
  multipart: { 'content-type': 'multipart/form-data; boundary=a' },
  'no type': { 'content-type': '' },
  'a malformed type': { 'content-type': 'application/json, text/plain' },
  gzip: { 'content-encoding': 'gzip' },
  'accepts xml': { accept: 'application/xml', 'accept-encoding': 'br' },
  'another method': { 'x-http-method-override': 'DELETE' },
  forwarded: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'evil.example', forwarded: 'a' },
  'another host': { host: 'evil.example', origin: 'https://evil.example' },
  'a request id': { 'request-id': `${canary}-1`, 'x-request-id': canary },
  expects: { 'if-match': '"x"', range: 'bytes=0-1', 'if-none-match': '*' },
  'a version twice': { 'service-version': '2020-09-14, 2018-05-22' },
  'an unknown version': { 'service-version': '2017-03-08' },
  'an empty version': { 'service-version': '' },
  'a version of objects': { 'service-version': '__proto__' },
  traces: { traceparent: '00-0-0-0', tracestate: 'x', baggage: `${canary}=1` },
  'a cookie': { cookie: `a=${canary}`, te: 'trailers' },
}
