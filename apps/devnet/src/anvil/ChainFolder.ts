import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DevnetError } from '../DevnetError.ts'

/** What makes a chain the one that it is: written before its first block, so that it can be made again. */
export interface ChainRecord {
  readonly seed: string
  readonly days: number
  /** Seconds since 1970 at which the past ends. */
  readonly until: number
}

const unzip = promisify(gunzip)

/** The files of one chain: what it is, its newest saved state, the process that runs it. */
export class ChainFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Opens or creates the folder; ends an anvil that a crash of the devnet left running in it. */
  static async open(path: string): Promise<ChainFolder> {
    await mkdir(path, { recursive: true })
    const folder = new ChainFolder(path)
    await folder.#endOrphan()
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

  /** The newest saved state; undefined when none was saved yet. */
  get stateFile(): string | undefined {
    return existsSync(this.#stateFile) ? this.#stateFile : undefined
  }

  /** @throws {DevnetError} when the file is there and is no record */
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
      // Answered below, like a record without its fields.
    }
    throw new DevnetError(
      `${this.#recordFile} is damaged: delete the devnet's data folder to start a new chain.`,
    )
  }

  async writeRecord(record: ChainRecord): Promise<void> {
    await this.#write(this.#recordFile, JSON.stringify(record, undefined, 2))
  }

  /**
   * Saves a state as `anvil_dumpState` answers it (zipped, in hexadecimal). Whoever is killed meanwhile leaves the
   * state before it untouched; anvil's own saving would leave half a file.
   */
  async writeState(dumped: string): Promise<void> {
    const state = await unzip(Buffer.from(dumped.slice(2), 'hex'))
    await this.#write(this.#stateFile, state)
  }

  /** Remembers which anvil runs in this folder, for the next start after a crash. */
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

  async #endOrphan(): Promise<void> {
    if (!existsSync(this.#processFile)) {
      return
    }
    const { anvil, owner } = JSON.parse(await readFile(this.#processFile, 'utf8')) as {
      anvil: number
      owner: number
    }
    const running = processOf(anvil)
    // A process id is given out again: only an anvil that names this folder is the one.
    if (!running?.command.includes(this.path)) {
      return
    }
    if (running.parent === owner) {
      throw new DevnetError(
        `The folder ${this.path} is in use by a devnet that runs as process ${owner.toString()}: ` +
          'end that one, or choose another folder with --data.',
      )
    }
    process.kill(anvil, 'SIGKILL')
    while (processOf(anvil)?.command.includes(this.path)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Undefined when there is no such process, or no way to look (elsewhere than on Linux). */
function processOf(pid: number): { command: string; parent: number } | undefined {
  try {
    const command = readFileSync(`/proc/${pid.toString()}/cmdline`, 'utf8')
    const status = readFileSync(`/proc/${pid.toString()}/status`, 'utf8')
    return { command, parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) }
  } catch {
    return undefined
  }
}
