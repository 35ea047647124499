import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DevnetError } from '../DevnetError.ts'

/** The parameters of a chain's past, written before its first block, so that it can be created again. */
export interface ChainRecord {
  readonly seed: string
  readonly days: number
  /** The end of the past, Unix seconds. */
  readonly until: number
}

/** What a new chain is created from. */
export interface ChainParameters {
  /** Default `headwater`. */
  readonly seed?: string | undefined
  /** Default 21. */
  readonly days?: number | undefined
  /** Default now. */
  readonly until?: Date | undefined
}

/** The record of a new chain. */
export function createRecord({
  seed = 'headwater',
  days = 21,
  until = new Date(),
}: ChainParameters): ChainRecord {
  return { seed, days, until: Math.floor(until.getTime() / 1_000) }
}

const unzip = promisify(gunzip)

/** The files of a chain: its parameters, its latest saved state, and the process that runs it. */
export class ChainFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Opens or creates the folder, and kills an anvil that is still running in it after a crash of the devnet. */
  static async open(path: string): Promise<ChainFolder> {
    await mkdir(path, { recursive: true })
    const folder = new ChainFolder(path)
    await folder.#killOrphan()
    return folder
  }

  get #recordFile(): string {
    return join(this.path, 'chain.json')
  }

  get #processFile(): string {
    return join(this.path, 'process.json')
  }

  get #stateFile(): string {
    return join(this.path, 'state.json')
  }

  /** The latest saved state, if there is one. */
  get stateFile(): string | undefined {
    return existsSync(this.#stateFile) ? this.#stateFile : undefined
  }

  /** @throws {DevnetError} when the file is not a valid record */
  async readRecord(): Promise<ChainRecord | undefined> {
    if (!existsSync(this.#recordFile)) {
      return undefined
    }
    try {
      const record = JSON.parse(await readFile(this.#recordFile, 'utf8')) as ChainRecord
      if (typeof record.seed === 'string' && record.days > 0 && record.until > 0) {
        return record
      }
    } catch {
      // Invalid JSON is reported below, like missing fields.
    }
    throw new DevnetError(
      `${this.#recordFile} is damaged: delete the devnet's data folder to start a new chain.`,
    )
  }

  /**
   * The record of the saved chain, or that of a new one.
   *
   * @throws {DevnetError} when the saved chain has another seed, or its record is damaged
   */
  async keepRecord(parameters: ChainParameters): Promise<ChainRecord> {
    const kept = await this.readRecord()
    if (kept && parameters.seed !== undefined && parameters.seed !== kept.seed) {
      throw new DevnetError(
        `The chain in ${this.path} was created with the seed "${kept.seed}": ` +
          'start it with that seed, choose another folder, or delete this one.',
      )
    }
    if (kept) {
      return kept
    }
    const record = createRecord(parameters)
    await this.#write(this.#recordFile, JSON.stringify(record, undefined, 2))
    return record
  }

  /**
   * Saves the result of `anvil_dumpState` (gzip in hexadecimal). The file is replaced atomically, unlike with anvil's own
   * `--dump-state`.
   */
  async writeState(dumped: string): Promise<void> {
    const state = await unzip(Buffer.from(dumped.slice(2), 'hex'))
    await this.#write(this.#stateFile, state)
  }

  /** Writes the process id of anvil, for the next start after a crash. */
  async writeProcess(pid: number): Promise<void> {
    await this.#write(this.#processFile, JSON.stringify({ anvil: pid, owner: process.pid }))
  }

  async removeProcess(): Promise<void> {
    await rm(this.#processFile, { force: true })
  }

  async #write(file: string, content: string | Buffer): Promise<void> {
    const unfinished = `${file}.unfinished`
    await writeFile(unfinished, content)
    await rename(unfinished, file)
  }

  async #killOrphan(): Promise<void> {
    if (!existsSync(this.#processFile)) {
      return
    }
    const { anvil, owner } = JSON.parse(await readFile(this.#processFile, 'utf8')) as {
      anvil: number
      owner: number
    }
    const running = processOf(anvil)
    // Process ids are reused: only a command line with this folder identifies the process.
    if (!running?.command.includes(this.path)) {
      return
    }
    if (running.parent === owner) {
      throw new DevnetError(
        `The folder ${this.path} is in use by a devnet with process id ${owner}: ` +
          'stop it, or choose another folder with --data.',
      )
    }
    process.kill(anvil, 'SIGKILL')
    while (processOf(anvil)?.command.includes(this.path)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Undefined if there is no such process, or no procfs (on other systems than Linux). */
function processOf(pid: number): { command: string; parent: number } | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return { command, parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) }
  } catch {
    return undefined
  }
}
