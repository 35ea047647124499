import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Anvil } from './anvil/Anvil.ts'
import { ChainFolder } from './anvil/ChainFolder.ts'
import { JsonRpc } from './anvil/JsonRpc.ts'
import { compileContracts } from './contracts/compileContracts.ts'
import { DevnetChain } from './DevnetChain.ts'
import { playPast } from './playPast.ts'
import type { Scenario } from './scenarios/Scenario.ts'
import { seededRandom } from './seededRandom.ts'
import { deploymentOf } from './world/Deployment.ts'
import { planPast, smallHoldersOf } from './world/planPast.ts'

/** The progress of starting a chain. */
export interface DevnetProgress {
  readonly chainId: number
  readonly name: string
  readonly step: 'preparing contracts' | 'loading' | 'mining the past' | 'saving' | 'running'
  /** Progress of this step. */
  readonly percent: number
}

/** Common options of `startChain` and `startDevnet`. */
export interface StartOptions {
  /** The folder of the chains, each in a subfolder named by its id; without it they are deleted when they stop. */
  readonly dataFolder?: string | undefined
  /** The same seed gives the same past; default `headwater`. A saved chain keeps its seed. */
  readonly seed?: string | undefined
  /** The end of the past; default now. With the same value, the same seed gives the same block hashes. */
  readonly until?: Date | undefined
  /** Days of block time in the past; default 21. Mining one day takes about half a second. */
  readonly days?: number | undefined
  /** Seconds between two blocks of the present; default 2. */
  readonly blockTime?: number | undefined
  /** Whether the accounts continue to send transactions; default true. `resume` starts the traffic later. */
  readonly live?: boolean | undefined
  /** The same seed gives the same transactions in the present; default a new one for each start. */
  readonly presentSeed?: string | undefined
  readonly onProgress?: ((progress: DevnetProgress) => void) | undefined
  /** Called when a running chain fails; the message is meant for users. */
  readonly onFailure?: ((error: Error) => void) | undefined
}

/** Options of `startChain`. */
export interface StartChainOptions extends StartOptions {
  readonly scenario: Scenario
  /** Default 0, a free port. */
  readonly port?: number | undefined
}

/**
 * Starts a chain: mines its past, or loads its saved state.
 *
 * @returns the running chain, which the caller must `stop`
 * @throws {DevnetError} when the port or the folder is in use, the folder is damaged, or there is no anvil
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
    const record = await folder.keepRecord(options)
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
      report('mining the past', 0)
      await playPast(new JsonRpc(anvil.url), past, genesisTime, (percent) => {
        report('mining the past', percent)
      })
    }
    const chain = new DevnetChain({
      anvil,
      folder,
      deployment: deploymentOf(scenario),
      random: seededRandom(`${record.seed}/present/${options.presentSeed ?? Date.now()}`),
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
