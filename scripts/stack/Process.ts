import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { StartError } from './StartError.ts'

/** A message that a program of ours sends over its channel while it starts. */
export type Message =
  { type: 'progress'; text: string } | ({ type: 'ready' } & Record<string, unknown>)

interface ProcessOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** File that takes what it prints. */
  readonly logFile: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A program of ours that runs beside this one: started, listened to, and stopped for certain.
 *
 * It has a process group of its own, so that a terminal's Ctrl-C reaches us alone and we end things in order; and a
 * channel, by which it notices when we are gone without a word.
 */
export class Process {
  readonly name: string
  readonly #child: ChildProcess
  readonly #logFile: string
  readonly #exited: Promise<string>
  #stopping = false

  constructor({ name, command, args, cwd, logFile, env }: ProcessOptions) {
    this.name = name
    this.#logFile = logFile
    const log = openSync(logFile, 'w')
    this.#child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...process.env, ...env },
    })
    closeSync(log)
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Waits until the program says that it is ready.
   *
   * @throws {StartError} with the last lines it printed, when it ends before.
   */
  async ready(onProgress: (text: string) => void): Promise<Extract<Message, { type: 'ready' }>> {
    const ready = new Promise<Extract<Message, { type: 'ready' }>>((resolve) => {
      this.#child.on('message', (message: Message) => {
        if (message.type === 'progress') {
          onProgress(message.text)
        }
        if (message.type === 'ready') {
          resolve(message)
        }
      })
    })
    return Promise.race([ready, this.failed()])
  }

  /** Rejects when the program ends without being told to. */
  async failed(): Promise<never> {
    const how = await this.#exited
    if (this.#stopping) {
      return new Promise(() => {})
    }
    const printed = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
    throw new StartError(
      `The ${this.name} ended (${how}). The last it said, in ${this.#logFile}:\n${printed}`,
    )
  }

  /** Asks it to end, waits, and ends it by force after `patience` milliseconds. */
  async stop(patience = 20_000): Promise<void> {
    this.#stopping = true
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#killGroup(), patience)
    await this.#exited
    clearTimeout(timer)
    this.#killGroup()
  }

  /** Whatever is left of its group. */
  #killGroup(): void {
    if (this.#child.pid === undefined) {
      return
    }
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // Nothing was left.
    }
  }
}
