import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import type { BindingName } from '../../scripts/bindings.ts'
import { portOptions } from '../../scripts/stack/options.ts'

/** The ready message of `npm start`: URLs, key, wallets and process ids. */
export interface StackInfo {
  readonly urls: Readonly<Record<BindingName | 'landing' | 'api', string>>
  /** JSON-RPC URLs of the chains 31337, 31338, and 31339 if the stack has it. */
  readonly nodes: readonly [string, string, ...string[]]
  readonly key: string
  readonly wallets: readonly { readonly name: string; readonly address: string }[]
  readonly pids: { readonly service: number; readonly devnet: number }
}

/** The data folder and the ports of a stack. */
export interface StackLocation {
  readonly data: string
  readonly ports: readonly number[]
  /** Blocks in the past of chain 31339; default 0, without that chain. */
  readonly longBlocks?: number
}

const root = path.resolve(import.meta.dirname, '../..')

/** A process of `npm start`. */
export class Stack {
  /** Everything it printed. */
  output = ''
  readonly pid: number
  readonly #child: ChildProcess
  readonly #exit: Promise<number | null>

  /** @param program - `npm` to start it through npm, which has no IPC channel, so that it is never `ready`. */
  constructor({ data, ports, longBlocks = 0 }: StackLocation, program: 'node' | 'npm' = 'node') {
    const options = portOptions.flatMap(({ flag }, index) => [flag, String(ports[index])])
    this.#child = spawn(
      program === 'npm' ? 'npm' : process.execPath,
      [
        ...(program === 'npm' ? ['start', '--'] : ['scripts/bootstrap.mjs', 'start']),
        ...['--data', data, '--long-blocks', String(longBlocks), ...options],
      ],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: true,
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      },
    )
    this.pid = this.#child.pid!
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    }
    this.#exit = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Waits for the ready message. */
  async ready(): Promise<StackInfo> {
    const info = new Promise<StackInfo>((resolve) => {
      this.#child.on('message', (message: { type: string } & StackInfo) => {
        if (message.type === 'ready') {
          resolve(message)
        }
      })
    })
    const exited = this.#exit.then((code) => {
      throw new Error(`npm start exited with ${code} before it was ready:\n${this.output}`)
    })
    return Promise.race([info, exited])
  }

  /** Signals the process group, as Ctrl-C in a terminal does. Resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    process.kill(-this.pid, 'SIGINT')
    return this.#exit
  }

  /**
   * Signals `npm start` itself, as a supervisor does, and none of the processes that it started. Resolves with the exit
   * code; null after SIGKILL.
   */
  async kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    process.kill(this.pid, signal)
    return this.#exit
  }

  /** Resolves with the exit code. */
  exited(): Promise<number | null> {
    return this.#exit
  }
}

/** Finds free ports for a stack. */
export async function chooseLocation(data: string): Promise<StackLocation> {
  const ports = new Set<number>()
  while (ports.size < portOptions.length) {
    // Below the ephemeral range, so that the system assigns none of them before the stack listens.
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) {
      ports.add(port)
    }
  }
  return { data, ports: [...ports] }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
