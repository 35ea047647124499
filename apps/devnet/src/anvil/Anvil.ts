import { type ChildProcess, spawn } from 'node:child_process'
import { DevnetError } from '../DevnetError.ts'
import { actors } from '../scenarios/actors.ts'
import { endWithUs } from './endWithUs.ts'
import { findAnvil } from './findAnvil.ts'
import { refuseTakenPort } from './refuseTakenPort.ts'

/** How to start a node. */
export interface AnvilOptions {
  readonly chainId: number
  /** 0 takes a free one. */
  readonly port: number
  /** Seconds since 1970 of the genesis block. */
  readonly genesisTime: number
  /** Where anvil may keep its own files. */
  readonly folder: string
  /** A state to go on from; undefined starts at the genesis block. */
  readonly stateFile: string | undefined
}

/** As many blocks back as states are kept: a reorg reaches no deeper, a call at an older block fails. */
const keptStates = 256

/** A running anvil. It mines only when it is told to. */
export class Anvil {
  readonly url: string
  readonly pid: number
  /** Settles when the process has ended, whatever the cause. */
  readonly ended: Promise<void>
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string, ended: Promise<void>) {
    this.#process = process
    this.url = url
    this.ended = ended
    this.pid = process.pid ?? 0
  }

  /**
   * Starts a node and waits until it listens.
   *
   * @throws {DevnetError} when the port is taken, or when anvil ends before it listens
   */
  static async start(options: AnvilOptions): Promise<Anvil> {
    await refuseTakenPort(options.port)
    const child = spawn(findAnvil(), argumentsOf(options), {
      // A group of its own: Ctrl-C must reach us, who then save the state, and not anvil.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: options.folder },
    })
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => {
        resolve()
      })
      child.once('error', () => {
        resolve()
      })
    })
    if (child.pid !== undefined) {
      void ended.then(endWithUs(child.pid))
    }
    let output = ''
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000)
    })
    const listening = new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output === 'listening') {
          return
        }
        output += text
        const port = /Listening on [^\s]*:(\d+)/.exec(output)?.[1]
        if (!port) {
          return
        }
        output = 'listening'
        resolve(`http://127.0.0.1:${port}`)
      })
    })
    const url = await Promise.race([listening, ended.then(() => undefined)])
    if (url === undefined) {
      throw endedEarly(options, complaint || output)
    }
    return new Anvil(child, url, ended)
  }

  /** Ends it: politely, and by force when it does not go within five seconds. */
  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    const force = setTimeout(() => this.#process.kill('SIGKILL'), 5_000)
    await this.ended
    clearTimeout(force)
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.ended
  }
}

function argumentsOf({ chainId, port, genesisTime, folder, stateFile }: AnvilOptions): string[] {
  const values = {
    '--port': port,
    '--chain-id': chainId,
    '--accounts': actors.length,
    '--timestamp': genesisTime,
    '--order': 'fifo',
    '--gas-limit': 500_000_000,
    '--base-fee': 1_000_000_000,
    '--prune-history': keptStates,
    '--cache-path': folder,
    ...(stateFile === undefined ? {} : { '--load-state': stateFile }),
  }
  const flags = ['--no-mining', '--no-request-size-limit', '--color', 'never']
  return [...Object.entries(values).flatMap(([name, value]) => [name, String(value)]), ...flags]
}

function endedEarly({ chainId, stateFile }: AnvilOptions, complaint: string): DevnetError {
  const words = complaint.trim().split('\n').slice(-3).join(' ')
  if (stateFile === undefined) {
    return new DevnetError(
      `anvil of chain ${chainId.toString()} ended before it listened: ${words}`,
    )
  }
  return new DevnetError(
    `The saved chain ${chainId.toString()} cannot be read, its state is damaged (${stateFile}): ` +
      `delete the devnet's data folder to start a new chain. anvil says: ${words}`,
  )
}
