import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'

/** Where everything is, as `npm start` says when it is up. */
export interface StackInfo {
  readonly urls: {
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
        if (message.type === 'ready') resolve(message)
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

/** A place for a stack: six ports that nobody listens on. */
export async function stackPlace(data: string): Promise<StackPlace> {
  const servers = await Promise.all(
    portOptions.map(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return { data, ports }
}
