import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

/** Root folder of the repository. */
export const root = path.resolve(import.meta.dirname, '../..')

/**
 * Variables that Vitest sets, and that plugins of apps read, and `NODE_PATH` of pnpm, with which packages find modules that they
 * do not depend on.
 */
const ofRepository = /^(VITEST\w*|NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL|NODE_PATH)$/

/** The environment without the tools of the repository. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofRepository.test(name))),
  PATH: process.env
    .PATH!.split(path.delimiter)
    .filter((folder) => !folder.startsWith(root + path.sep))
    .join(path.delimiter),
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
}

/** Variables of commands that need a later Node.js than the oldest that the packages support: the pinned one. */
export const pinnedNode: NodeJS.ProcessEnv = {
  PATH: path.dirname(process.execPath) + path.delimiter + environment.PATH,
}

/**
 * Runs a command until it exits.
 *
 * @returns Its output.
 * @throws {Error} with its output, when it fails.
 */
export async function run(
  command: string,
  args: string[],
  folder: string,
  variables?: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...environment, ...variables } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    throw exited([command, ...args], code, output)
  }
  return output
}

/** A running command. */
export interface RunningCommand {
  /** The output that stated that it is ready. */
  readonly readyText: string
  /** Everything that it printed. */
  output(): string
  stop(): Promise<void>
}

/**
 * Starts a command and waits until its output matches.
 *
 * @throws {Error} with its output, when it exits before.
 */
export async function start(
  command: string,
  args: string[],
  folder: string,
  readyPattern: RegExp,
  variables?: NodeJS.ProcessEnv,
): Promise<RunningCommand> {
  // Its own process group, because npm does not forward signals to its children.
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...environment, ...variables },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const isReady = firstMatch(child, readyPattern, () => output)
  const closed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(exited([command, ...args], code, output)))
  })
  const readyText = await Promise.race([isReady, closed])
  return {
    readyText,
    output: () => output,
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve))
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    },
  }
}

/** Resolves to what the output of a command matches. */
function firstMatch(child: ChildProcess, pattern: RegExp, read: () => string): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', () => {
        const found = pattern.exec(read())?.[0]
        if (found) {
          resolve(found)
        }
      })
    }
  })
}

/**
 * The summary of a test run has only the first line of a message, which therefore has the first error of the output, or its last
 * line.
 */
function exited(command: readonly string[], code: number | null, output: string): Error {
  const lines = output.trimEnd().split('\n')
  const reason = lines.find((line) => /error/i.test(line)) ?? lines.at(-1)
  return new Error(`${command.join(' ')} exited with ${code}: ${reason}\n${output}`)
}
