// A program that creates an embedded database in the folder of its argument, and flushes it to the disk.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// The parent process ended.
process.on('disconnect', () => process.exit(1))
// Terminals and systemd send these signals to this process as well. The parent stops once the database is created.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
const dataDir = process.argv[2] ?? ''
// The files in it can be written by every user.
mkdirSync(dataDir, { mode: 0o700 })
const pglite = await PGlite.create({ dataDir }).catch(fail)
await pglite.close()
for (const entry of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]) {
  const file = openSync(join(dataDir, entry), 'r')
  fsyncSync(file)
  closeSync(file)
}
process.exit()

/** Errors of Emscripten's file system have the number of WASI, and no message. */
function fail(error: unknown): never {
  const { errno } = error as { readonly errno?: number }
  process.stderr.write(
    errno === 51
      ? 'no space left on device'
      : error instanceof Error
        ? String(error.stack)
        : `error ${errno}`,
  )
  process.exit(1)
}
