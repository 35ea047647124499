import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { Media } from '../media/createMedia.ts'
import { describeHold } from '../repair/describeHold.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { ChainState } from '../store/ChainWatch.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { ChainHold } from '../store/Database.ts'
import type { Stores } from '../store/Stores.ts'
import { runChain } from './runChain.ts'
import { supervisor } from './supervisor.ts'

/** Limits restarts while the reason of a stop cannot be written. */
const restartDelayMs = 1_000

interface RunChainsOptions {
  readonly config: Pick<Config, 'chains' | 'facts'>
  readonly stores: Stores
  readonly nodes: ReadonlyMap<number, ChainNode>
  readonly watch: ChainWatches
  readonly media: Pick<Media, 'readDocument' | 'tokenLists'>
  readonly logger: Logger
  /** Called when each chain is indexed up to the head, or another process indexes it. */
  readonly onReady: () => void
}

/**
 * Indexes every configured chain until the signal aborts.
 *
 * A chain that fails stops alone and is no longer served: its rows may belong to a stale fork. The process continues,
 * reports the stopped chain, and indexes it again once an operator has repaired it. A failure ends the run only while a
 * supervisor waits for all chains to be ready.
 *
 * @throws {unknown} the error of the chain that ended the run.
 */
export async function runChains(options: RunChainsOptions, stop: AbortSignal): Promise<void> {
  const { config, stores, nodes, watch, media, logger, onReady } = options
  const failed = new AbortController()
  const waiting = new Set(config.chains.map(({ id }) => id))
  let failure: Error | undefined
  const signal = AbortSignal.any([stop, failed.signal])
  const run = async (chain: ChainConfig) => {
    const { id } = chain
    const node = nodes.get(id) as ChainNode
    const isReady = () => {
      if (waiting.delete(id) && waiting.size === 0) {
        onReady()
      }
    }
    const onProgress = (text: string) => supervisor.send({ type: 'progress', text })
    const { facts } = config
    const onFailure = (reason: string | undefined) => watch.setFailure(id, reason)
    const store = stores.of(id)
    const options = { chain, store, node, media, facts, logger, onFailure, onProgress }
    if (chain.history === 'node') {
      return isReady()
    }
    if (!stores.isReady(id)) {
      isReady()
    }
    if (!(await stores.whenReady(id, signal))) {
      return
    }
    let loggedHold: ChainHold | undefined
    const isReleased = ({ hold }: ChainState) => {
      if (hold !== loggedHold) {
        loggedHold = hold
        logHold(id, hold)
      }
      if (hold !== undefined) {
        // Like a chain that another process indexes, it does not delay the others.
        isReady()
      }
      return hold === undefined
    }
    while (await watch.waitFor(id, isReleased, signal)) {
      const repair = new AbortController()
      const untilRepair = AbortSignal.any([signal, repair.signal])
      void watch
        .waitFor(id, ({ hold }) => hold !== undefined, untilRepair)
        .then((isHeld) => isHeld && repair.abort())
      try {
        await runChain({ ...options, onSynced: isReady, onStandby: isReady }, untilRepair)
      } catch (error) {
        watch.markStopped(id)
        logger.error({ chain: id, err: error }, 'indexing of the chain stopped')
        if (supervisor.isConnected && waiting.size > 0) {
          failure ??= error as Error
          return failed.abort()
        }
        await untilRepaired(id)
      } finally {
        repair.abort()
      }
    }
  }
  const logHold = (id: number, hold: ChainHold | undefined) => {
    if (hold === undefined) {
      logger.info({ chain: id }, 'the chain was released; indexing it again')
    } else {
      logger.warn({ chain: id }, `the chain is ${describeHold(id, hold)}`)
    }
  }
  /** A repair clears the reason, which may have been written after the latest read. */
  const untilRepaired = async (id: number) => {
    await watch.refresh(id)
    const isRepaired = ({ hold, stoppedReason }: ChainState) =>
      hold !== undefined || stoppedReason === undefined
    if (await watch.waitFor(id, isRepaired, signal)) {
      if (watch.get(id)?.hold === undefined) {
        logger.info({ chain: id }, 'the chain was repaired; indexing it again')
      }
      watch.markRunning(id)
      await delay(restartDelayMs, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.all(config.chains.map(run))
  // Also while no chain is indexed.
  await aborted(signal)
  if (failure) {
    throw failure
  }
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
    })
  }
}
