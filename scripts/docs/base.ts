/** Where the service has the docs. */
export const serviceBase = '/docs/'

/** Where the site will be served; `DOCS_BASE` names another path, such as that of a project's page. */
export const base: string = readBase(process.env['DOCS_BASE'])

function readBase(value: string | undefined): string {
  if (value === undefined || value === '') return serviceBase
  if (/^\/([\w.~-]+\/)*$/.test(value)) return value
  throw new TypeError('DOCS_BASE must be a path that begins and ends with a slash, such as /docs/')
}
