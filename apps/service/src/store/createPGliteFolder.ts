import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adviseRestore, StoreError } from './StoreError.ts'

// `.ts` in the sources, `.js` in the package.
const fileName = `./pgliteCreation${extname(import.meta.url)}`
const program = fileURLToPath(new URL(fileName, import.meta.url))
/** Disables the optimizing compiler of WebAssembly: it would double the memory, and the code runs only once. */
const v8Flag = '--liftoff-only'
/** The most characters of the program's output that an error message includes. */
const maxOutputLength = 2_000

/** What each database contains. */
const requiredFiles = [
  ...['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'],
  ...['postgresql.conf', 'pg_hba.conf'],
]

/** Whether a folder contains a database, or a part of one. */
export function hasPGliteFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

/** The first file or folder that a database lacks; undefined if it is complete. */
export function findMissingFile(folder: string): string | undefined {
  return requiredFiles.find((file) => !existsSync(join(folder, file)))
}

/**
 * Creates an embedded database in a folder, unless it has one. It runs in a separate process, because creation needs twice
 * the memory of the database in use, which only the end of a process frees.
 *
 * @throws {StoreError} when the creation fails, or the folder contains a part of a database.
 */
export async function createPGliteFolder(folder: string): Promise<void> {
  if (hasPGliteFiles(folder)) {
    const missing = findMissingFile(folder)
    if (missing !== undefined) {
      const advice = adviseRestore(dirname(folder))
      throw new StoreError(`The database in ${folder} is damaged, ${missing} is missing: ${advice}`)
    }
    return
  }
  const unfinished = `${folder}.new`
  // What an interrupted creation left.
  rmSync(unfinished, { recursive: true, force: true })
  // Without the arguments of this process, which may be those of a test runner.
  const child = fork(program, [unfinished], { execArgv: [v8Flag], silent: true })
  let output = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (output = (output + String(chunk)).slice(-maxOutputLength)),
  )
  child.stdout?.resume()
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code !== 0) {
    const ending = signal === 'SIGKILL' ? `${signal}, as when memory is short` : signal
    const reason = signal
      ? `its process was ended by ${ending}`
      : `${output.trim()}. Check the disk and its free space, then start again`
    throw new StoreError(`The database in ${folder} could not be created: ${reason}`)
  }
  renameSync(unfinished, folder)
  const parent = openSync(dirname(folder), 'r')
  fsyncSync(parent)
  closeSync(parent)
}
