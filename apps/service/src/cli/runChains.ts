import { once } from 'node:events'
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
import { waitAtMost } from '../waitAtMost.ts'
import { runChain } from './runChain.ts'
import { supervisor } from './supervisor.ts'

/** Limits restarts while the reason of a stop cannot be written. */
const restartDelayMs = 1_000
/** A commit waits for the publication of the block before at most for this time. */
const maxPublicationMs = 1_000

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
  const { chains } = options.config
  const failed = new AbortController()
  const signal = AbortSignal.any([stop, failed.signal])
  const waiting = new Set(chains)
  let failure: Error | undefined
  const run = async (chain: ChainConfig) => {
    const onReady = () => {
      if (waiting.delete(chain) && waiting.size === 0) {
        options.onReady()
      }
    }
    const onStopped = (error: unknown) => {
      if (supervisor.isConnected && waiting.size > 0) {
        failure ??= error as Error
        failed.abort()
      }
    }
    await keepIndexing(chain, { ...options, onReady, onStopped }, signal)
  }
  await Promise.all(chains.map(run))
  // Also while no chain is indexed.
  await aborted(signal)
  if (failure) {
    throw failure
  }
}

/** The options of one chain, which calls `onReady` each time that nothing has to wait for it. */
interface ChainOptions extends RunChainsOptions {
  /** Called with the error of a chain that stopped. */
  readonly onStopped: (error: unknown) => void
}

/** Indexes a chain until the signal aborts, except while it is repaired. */
async function keepIndexing(
  chain: ChainConfig,
  options: ChainOptions,
  signal: AbortSignal,
): Promise<void> {
  const { config, stores, nodes, watch, media, logger, onReady, onStopped } = options
  const { id } = chain
  // The embedded database has one session: a commit would hold up the reads that publish the block before.
  const waitForPublication = async () =>
    await waitAtMost(watch.publishing(id) ?? Promise.resolve(), maxPublicationMs)
  if (chain.history === 'node') {
    return onReady()
  }
  if (!stores.isReady(id)) {
    onReady()
  }
  if (!(await stores.whenReady(id, signal))) {
    return
  }
  while (await untilReleased(id, options, signal)) {
    const repair = new AbortController()
    const untilRepair = AbortSignal.any([signal, repair.signal])
    void watch
      .waitFor(id, ({ hold }) => hold !== undefined, untilRepair)
      .then((isHeld) => isHeld && repair.abort())
    try {
      await runChain(
        {
          chain,
          store: stores.of(id),
          node: nodes.get(id) as ChainNode,
          media,
          facts: config.facts,
          logger,
          beforeCommit: stores.of(id).kind === 'pglite' ? waitForPublication : undefined,
          onSynced: onReady,
          onStandby: onReady,
          onFailure: (reason) => watch.setFailure(id, reason),
          onProgress: (text) => supervisor.send({ type: 'progress', text }),
        },
        untilRepair,
      )
    } catch (error) {
      watch.markStopped(id)
      logger.error({ chain: id, err: error }, 'indexing of the chain stopped')
      onStopped(error)
      if (!signal.aborted) {
        await untilRepaired(id, options, signal)
      }
    } finally {
      repair.abort()
    }
  }
}

/**
 * Waits while an operator holds a chain, which does not delay the others.
 *
 * @returns false when the signal aborts before.
 */
async function untilReleased(
  chainId: number,
  { watch, logger, onReady }: ChainOptions,
  signal: AbortSignal,
): Promise<boolean> {
  let hold: ChainHold | undefined
  const isReleasedOrNew = (state: ChainState) => state.hold === undefined || state.hold !== hold
  while (await watch.waitFor(chainId, isReleasedOrNew, signal)) {
    const wasHeld = hold !== undefined
    hold = watch.get(chainId)?.hold
    if (hold === undefined) {
      if (wasHeld) {
        logger.info({ chain: chainId }, 'the chain was released; indexing it again')
      }
      return true
    }
    logger.warn({ chain: chainId }, `the chain is ${describeHold(chainId, hold)}`)
    onReady()
  }
  return false
}

/** Waits until a stopped chain is repaired, or held for that. */
async function untilRepaired(
  chainId: number,
  { watch, logger }: ChainOptions,
  signal: AbortSignal,
): Promise<void> {
  // A repair clears the reason, which may have been written after the latest read.
  await watch.refresh(chainId)
  const isRepaired = ({ hold, stoppedReason }: ChainState) =>
    hold !== undefined || stoppedReason === undefined
  if (await watch.waitFor(chainId, isRepaired, signal)) {
    if (watch.get(chainId)?.hold === undefined) {
      logger.info({ chain: chainId }, 'the chain was repaired; indexing it again')
    }
    watch.markRunning(chainId)
    await delay(restartDelayMs, undefined, { signal }).catch(() => {})
  }
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort')
  }
}
