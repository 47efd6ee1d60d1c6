/** What is measured, in the order of the tables. */
export const serverTitles = {
  raw: 'raw node:http',
  floor: 'Fastify and validators, no store',
  sqlite: 'this service, SQLite',
  postgres: 'this service, PostgreSQL',
  'postgres-2': 'this service, PostgreSQL, two processes',
  'openapi-backend': 'openapi-backend, mock',
  prism: 'Prism, mock, silent',
} as const

export type ServerName = keyof typeof serverTitles

/** Whether it is this service, which is measured longest, with all features on. */
export const isService = (name: ServerName): boolean => /^(sqlite|postgres)/.test(name)
