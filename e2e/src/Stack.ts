import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'

/** Where everything is, as `npm start` says when it is up. */
export interface StackInfo {
  readonly urls: {
    readonly landing: string
    readonly react: string
    readonly vue: string
    readonly svelte: string
    readonly api: string
  }
  /** JSON-RPC URLs of the chains 31337 and 31338. */
  readonly nodes: readonly [string, string]
  readonly key: string
  readonly wallets: readonly { readonly name: string; readonly address: string }[]
  readonly pids: { readonly service: number; readonly devnet: number }
}

/** What the tests ask to be started: free ports and a folder. */
export interface StackPlace {
  readonly data: string
  readonly ports: readonly number[]
}

const root = path.resolve(import.meta.dirname, '../..')
const portOptions = [
  '--api-port',
  '--react-port',
  '--vue-port',
  '--svelte-port',
  '--landing-port',
  '--devnet-port',
  '--devnet-port-2',
]

/** The whole of Headwater, started as a user starts it. */
export class Stack {
  /** All that it printed. */
  output = ''
  readonly pid: number
  readonly #child: ChildProcess
  readonly #exit: Promise<number | null>

  constructor({ data, ports }: StackPlace) {
    const options = portOptions.flatMap((option, index) => [option, String(ports[index])])
    this.#child = spawn(
      process.execPath,
      ['scripts/bootstrap.mjs', 'start', '--data', data, ...options],
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

  /** Waits for the table. */
  async ready(): Promise<StackInfo> {
    const info = new Promise<StackInfo>((resolve) => {
      this.#child.on('message', (message: { type: string } & StackInfo) => {
        if (message.type === 'ready') {
          resolve(message)
        }
      })
    })
    const ended = this.#exit.then((code) => {
      throw new Error(`npm start ended with ${code} before its table:\n${this.output}`)
    })
    return Promise.race([info, ended])
  }

  /** Ctrl-C: the terminal signals the whole foreground group. Resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    process.kill(-this.pid, 'SIGINT')
    return this.#exit
  }

  /** Waits until it ends by itself. */
  exited(): Promise<number | null> {
    return this.#exit
  }
}

/** A place for a stack: ports that nobody listens on. */
export async function stackPlace(data: string): Promise<StackPlace> {
  const ports = new Set<number>()
  while (ports.size < portOptions.length) {
    // Below those that systems give out by themselves: nobody is given one of these before the stack has it.
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
