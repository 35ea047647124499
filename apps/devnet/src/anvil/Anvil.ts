import { type ChildProcess, spawn } from 'node:child_process'
import { DevnetError } from '../DevnetError.ts'
import { accounts } from '../scenarios/accounts.ts'
import { assertPortIsFree } from './assertPortIsFree.ts'
import { findAnvil } from './findAnvil.ts'
import { killOnExit } from './killOnExit.ts'

/** Options of a node. */
export interface AnvilOptions {
  readonly chainId: number
  /** 0 selects a free port. */
  readonly port: number
  /** Timestamp of the genesis block, Unix seconds. */
  readonly genesisTime: number
  /** The folder for anvil's own files. */
  readonly folder: string
  /** A saved state to load; undefined starts at the genesis block. */
  readonly stateFile: string | undefined
}

/** The number of blocks whose state is kept: the maximum depth of reorgs and calls. */
const keptStates = 256

/** A running anvil process without automatic mining. */
export class Anvil {
  readonly url: string
  readonly pid: number
  /** Resolves when the process has exited. */
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
   * @throws {DevnetError} when the port is taken, or when anvil exits before it listens
   */
  static async start(options: AnvilOptions): Promise<Anvil> {
    await assertPortIsFree(options.port)
    const child = spawn(findAnvil(), argumentsOf(options), {
      // In its own process group: on Ctrl-C this process must save the state before anvil exits.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: options.folder },
    })
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    if (child.pid !== undefined) {
      void ended.then(killOnExit(child.pid))
    }
    let output = ''
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000)
    })
    const listening = new Promise<string>((resolve) => {
      const findPort = (text: string) => {
        output += text
        const port = /Listening on [^\s]*:(\d+)/.exec(output)?.[1]
        if (port) {
          // What it prints later is discarded.
          child.stdout.off('data', findPort).resume()
          resolve(`http://127.0.0.1:${port}`)
        }
      }
      child.stdout.setEncoding('utf8').on('data', findPort)
    })
    const url = await Promise.race([listening, ended.then(() => undefined)])
    if (url === undefined) {
      throw endedEarly(options, complaint || output)
    }
    return new Anvil(child, url, ended)
  }

  /** Stops it, with SIGKILL after five seconds. */
  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    const force = setTimeout(() => this.#process.kill('SIGKILL'), 5_000)
    await this.ended
    clearTimeout(force)
  }

  /** Kills it, like a crash. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.ended
  }
}

function argumentsOf({ chainId, port, genesisTime, folder, stateFile }: AnvilOptions): string[] {
  const values = {
    '--port': port,
    '--chain-id': chainId,
    '--accounts': accounts.length,
    '--timestamp': genesisTime,
    '--order': 'fifo',
    '--gas-limit': 500_000_000,
    // Factories that contain the code of their pools are larger than a chain admits, without the optimizer.
    '--code-size-limit': 49_152,
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
    return new DevnetError(`anvil of chain ${chainId} ended before it listened: ${words}`)
  }
  return new DevnetError(
    `The saved chain ${chainId} cannot be read, its state is damaged (${stateFile}): ` +
      `delete the devnet's data folder to start a new chain. Output of anvil: ${words}`,
  )
}
