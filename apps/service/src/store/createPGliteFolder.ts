import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreError } from './StoreError.ts'

const program = fileURLToPath(new URL('./pgliteCreation.ts', import.meta.url))
/** Its code runs once: to compile it better would take as much memory again, and longer than is won. */
const compileSimply = '--liftoff-only'
/** As much of what the program said as is told of its failure. */
const mostOutput = 2_000

/**
 * Makes an embedded database in a folder that has none. In a process of its own, as it takes twice the memory that the
 * database ever takes afterwards, and only the end of a process gives it back.
 *
 * @throws {StoreError} when it cannot be made.
 */
export async function createPGliteFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    return
  }
  // One that was not made to its end is none.
  const unfinished = `${folder}.new`
  for (const each of [folder, unfinished]) {
    rmSync(each, { recursive: true, force: true })
  }
  // Nothing of what this process was started with, which may be a test runner's.
  const child = fork(program, [unfinished], { execArgv: [compileSimply], silent: true })
  let output = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (output = (output + String(chunk)).slice(-mostOutput)),
  )
  child.stdout?.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) {
    throw new StoreError(`The database in ${folder} could not be made: ${output}`)
  }
  renameSync(unfinished, folder)
}
