import { openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

// Loaded before a service on trial: tells its tracer, by a file that it asks for and that is not
// there, whether the commits that follow have to wait for the disk.

const { exec } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql)
  const [, level] = /^pragma synchronous = (normal|full)$/.exec(sql) ?? []
  if (level === undefined) return
  try {
    openSync(`/synchronous-${level}`, 'r')
  } catch {}
}
