import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

/** Where this repository is. */
export const root = path.resolve(import.meta.dirname, '../..')

/** The environment of somebody who has none of our tools: only what is on the machine. */
function environment(): NodeJS.ProcessEnv {
  const paths = process.env
    .PATH!.split(path.delimiter)
    .filter((folder) => !folder.startsWith(root + path.sep))
  return { ...process.env, PATH: paths.join(path.delimiter), NO_COLOR: '1', FORCE_COLOR: undefined }
}

/**
 * Runs a command to its end.
 *
 * @returns What it printed.
 * @throws {Error} with all that it printed, when it fails.
 */
export async function run(command: string, args: string[], folder: string): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: environment() })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed}`)
  }
  return printed
}

/** A command that goes on, and what it told when it was ready. */
export interface Running {
  readonly told: string
  stop(): Promise<void>
}

/**
 * Starts a command that goes on, and waits until it prints what is looked for.
 *
 * @throws {Error} with all that it printed, when it ends before.
 */
export async function start(
  command: string,
  args: string[],
  folder: string,
  wanted: RegExp,
): Promise<Running> {
  // A group of its own: npm passes no signal on to what it runs.
  const child = spawn(command, args, { cwd: folder, env: environment(), detached: true })
  const told = await firstMatch(child, wanted)
  return {
    told,
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve))
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    },
  }
}

function firstMatch(child: ChildProcess, wanted: RegExp): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const found = wanted.exec(printed)?.[0]
        if (found) {
          resolve(found)
        }
      })
    }
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`It ended with ${code}:\n${printed}`)))
  })
}
