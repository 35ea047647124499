import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Anvil } from './anvil/Anvil.ts'
import { ChainFolder, type ChainRecord } from './anvil/ChainFolder.ts'
import { JsonRpc } from './anvil/JsonRpc.ts'
import { compileContracts } from './contracts/compileContracts.ts'
import { DevnetChain } from './DevnetChain.ts'
import { DevnetError } from './DevnetError.ts'
import { playPast } from './playPast.ts'
import type { Scenario } from './scenarios/Scenario.ts'
import { seededRandom } from './seededRandom.ts'
import { deploymentOf } from './world/Deployment.ts'
import { planPast, smallHoldersOf } from './world/planPast.ts'

/** How far the start of a chain is. */
export interface DevnetProgress {
  readonly chainId: number
  readonly name: string
  readonly step: 'preparing contracts' | 'loading' | 'making the past' | 'saving' | 'running'
  /** Of this step. */
  readonly percent: number
}

/** What `startChain` and `startDevnet` have in common. */
export interface StartOptions {
  /** Where the chains are kept, each in a folder named after its id; without it they are gone when they stop. */
  readonly dataFolder?: string | undefined
  /** Any text; the same seed gives the same past. Default `headwater`. A kept chain keeps its own. */
  readonly seed?: string | undefined
  /** When the past ends; default now. With it the same seed gives the same block hashes. */
  readonly until?: Date | undefined
  /** Days of block time in the past; default 21. One day takes about half a second to make. */
  readonly days?: number | undefined
  /** Seconds between two blocks of the present; default 2. */
  readonly blockTime?: number | undefined
  /** Whether actors go on acting by themselves; default true. `resume` starts them later. */
  readonly live?: boolean | undefined
  /** Any text; the same gives the same actions in the present. Default another one in each start. */
  readonly presentSeed?: string | undefined
  readonly onProgress?: ((progress: DevnetProgress) => void) | undefined
  /** Called when a chain that runs cannot go on, with a sentence to show. */
  readonly onFailure?: ((error: Error) => void) | undefined
}

/** How to start one chain. */
export interface StartChainOptions extends StartOptions {
  readonly scenario: Scenario
  /** Default 0: a free one. */
  readonly port?: number | undefined
}

/**
 * Starts one chain: makes its past, or goes on from where it was kept.
 *
 * @returns the running chain; whoever starts it has to `stop` it
 * @throws {DevnetError} when the port is taken, the folder is in use or damaged, or there is no anvil
 */
export async function startChain(options: StartChainOptions): Promise<DevnetChain> {
  const { scenario, port = 0, blockTime = 2, live = true } = options
  const report = (step: DevnetProgress['step'], percent: number) =>
    options.onProgress?.({ chainId: scenario.chainId, name: scenario.name, step, percent })
  const temporary =
    options.dataFolder === undefined
      ? await mkdtemp(join(tmpdir(), 'headwater-devnet-'))
      : undefined
  const removeTemporary = async () => {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true })
    }
  }
  let anvil: Anvil | undefined
  try {
    const parent = temporary ?? options.dataFolder ?? '.'
    const folder = await ChainFolder.open(join(parent, scenario.chainId.toString()))
    const record = await recordOf(folder, options)
    const genesisTime = record.until - Math.round(record.days * 86_400)
    const { stateFile } = folder
    report(stateFile === undefined ? 'preparing contracts' : 'loading', 0)
    const bytecodes = stateFile === undefined ? await compileContracts() : undefined
    anvil = await Anvil.start({
      chainId: scenario.chainId,
      port,
      genesisTime,
      folder: folder.path,
      stateFile,
    })
    await folder.writeProcess(anvil.pid)
    if (bytecodes !== undefined) {
      const past = planPast(scenario, { ...record, bytecodes })
      report('making the past', 0)
      await playPast(new JsonRpc(anvil.url), past, genesisTime, (percent) => {
        report('making the past', percent)
      })
    }
    const chain = new DevnetChain({
      anvil,
      folder,
      deployment: deploymentOf(scenario),
      random: seededRandom(
        `${record.seed}/present/${options.presentSeed ?? Date.now().toString()}`,
      ),
      smallHolders: smallHoldersOf(record.seed, scenario),
      blockTime,
      onStopped: removeTemporary,
      onFailure: options.onFailure ?? (() => undefined),
    })
    if (stateFile === undefined) {
      report('saving', 0)
      await chain.save()
    }
    if (live) {
      chain.resume()
    }
    report('running', 100)
    return chain
  } catch (error) {
    await anvil?.stop()
    await removeTemporary()
    throw error
  }
}

async function recordOf(folder: ChainFolder, options: StartChainOptions): Promise<ChainRecord> {
  const kept = await folder.readRecord()
  if (kept) {
    if (options.seed !== undefined && options.seed !== kept.seed) {
      throw new DevnetError(
        `The chain in ${folder.path} grew from the seed "${kept.seed}": ` +
          'start it with that seed, choose another folder, or delete this one.',
      )
    }
    return kept
  }
  const record = {
    seed: options.seed ?? 'headwater',
    days: options.days ?? 21,
    until: Math.floor((options.until ?? new Date()).getTime() / 1_000),
  }
  await folder.writeRecord(record)
  return record
}
