import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreError } from './StoreError.ts'

const program = fileURLToPath(new URL('./pgliteCreation.ts', import.meta.url))
/** Disables the optimizing compiler of WebAssembly: it would double the memory, and the code runs only once. */
const v8Flag = '--liftoff-only'
/** The most characters of the program's output that an error message includes. */
const maxOutputLength = 2_000

/**
 * Creates an embedded database in a folder, unless it has one. It runs in a separate process, because creation needs twice
 * the memory of the database in use, which only the end of a process frees.
 *
 * @throws {StoreError} when the creation fails.
 */
export async function createPGliteFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    return
  }
  // Removes what an interrupted creation left.
  const unfinished = `${folder}.new`
  for (const each of [folder, unfinished]) {
    rmSync(each, { recursive: true, force: true })
  }
  // Without the arguments of this process, which may be those of a test runner.
  const child = fork(program, [unfinished], { execArgv: [v8Flag], silent: true })
  let output = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (output = (output + String(chunk)).slice(-maxOutputLength)),
  )
  child.stdout?.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) {
    throw new StoreError(`The database in ${folder} could not be created: ${output}`)
  }
  renameSync(unfinished, folder)
}
