import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import type { Media } from '../media/createMedia.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { ChainWatch } from '../store/ChainWatch.ts'
import type { Store } from '../store/Store.ts'
import { runChain } from './runChain.ts'
import { supervisor } from './supervisor.ts'

interface RunChainsOptions {
  readonly config: Pick<Config, 'chains'>
  readonly store: Store
  readonly nodes: ReadonlyMap<number, ChainNode>
  readonly watch: ChainWatch
  readonly media: Pick<Media, 'readDocument'>
  readonly logger: Logger
  /** Called when each chain is indexed up to the head, or another process indexes it. */
  readonly onReady: () => void
}

/**
 * Indexes every configured chain until the signal aborts.
 *
 * A chain that fails stops alone and is no longer served: its rows may belong to a stale fork. The process continues and
 * reports the stopped chain, even if no other chain is left. A failure ends the run only while a supervisor waits for all
 * chains to be ready.
 *
 * @throws {unknown} the error of the chain that ended the run.
 */
export async function runChains(options: RunChainsOptions, stop: AbortSignal): Promise<void> {
  const { config, store, nodes, watch, media, logger, onReady } = options
  const failed = new AbortController()
  const waiting = new Set(config.chains.map(({ id }) => id))
  let failure: Error | undefined
  const signal = AbortSignal.any([stop, failed.signal])
  const runs = config.chains.map(async (chain) => {
    const node = nodes.get(chain.id) as ChainNode
    const isReady = () => {
      if (waiting.delete(chain.id) && waiting.size === 0) {
        onReady()
      }
    }
    const onProgress = (text: string) => supervisor.send({ type: 'progress', text })
    try {
      await runChain(
        { chain, store, node, media, logger, onSynced: isReady, onStandby: isReady, onProgress },
        signal,
      )
    } catch (error) {
      watch.markStopped(chain.id)
      logger.error({ chain: chain.id, err: error }, 'indexing of the chain stopped')
      if (!supervisor.isConnected || waiting.size === 0) {
        return await aborted(signal)
      }
      failure ??= error as Error
      failed.abort()
    }
  })
  await Promise.all(runs)
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
