import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { StartError } from './StartError.ts'

/** A message that a program sends over its IPC channel while it starts. */
export type Message =
  { type: 'progress'; text: string } | ({ type: 'ready' } & Record<string, unknown>)

interface ProcessOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** File that receives stdout and stderr. */
  readonly logFile: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A child process that reports when it is ready and is stopped with all of its descendants.
 *
 * It has its own process group, so that Ctrl-C in a terminal signals only this process, which stops its children in
 * order. Its IPC channel closes when this process exits, even if by SIGKILL.
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
   * Waits for the ready message.
   *
   * @throws {StartError} with the last lines of its output, when it exits before.
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

  /** Rejects when the program exits before `stop` is called. */
  async failed(): Promise<never> {
    const reason = await this.#exited
    if (this.#stopping) {
      return new Promise(() => {})
    }
    const output = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
    throw new StartError(
      `The ${this.name} exited (${reason}). Last lines of ${this.#logFile}:\n${output}`,
    )
  }

  /** Sends SIGTERM, and SIGKILL after `timeoutMs`. */
  async stop(timeoutMs = 20_000): Promise<void> {
    this.#stopping = true
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#killGroup(), timeoutMs)
    await this.#exited
    clearTimeout(timer)
    this.#killGroup()
  }

  /** Kills the remaining processes of its group. */
  #killGroup(): void {
    if (this.#child.pid === undefined) {
      return
    }
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // The group has no processes left.
    }
  }
}
