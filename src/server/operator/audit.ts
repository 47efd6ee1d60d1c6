// Operators are the first who change something by themselves.
export { type Audited, audit } from '../audit/audit.ts'
