import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import type { Media } from '../media/createMedia.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { ChainWatch } from '../store/ChainWatch.ts'
import type { Store } from '../store/Store.ts'
import { runChain } from './runChain.ts'
import { supervisor } from './supervisor.ts'

/** What is needed to run all chains, and whom to tell. */
interface RunChainsOptions {
  readonly config: Pick<Config, 'chains'>
  readonly store: Store
  readonly nodes: ReadonlyMap<number, ChainNode>
  readonly watch: ChainWatch
  readonly media: Pick<Media, 'readDocument'>
  readonly logger: Logger
  /** Called when each chain is indexed up to the head, or is another process's. */
  readonly onReady: () => void
}

/**
 * Indexes every configured chain until the signal aborts.
 *
 * A chain that cannot go on stops alone, and is answered no more: its rows may be those of a dead fork. All end with it
 * when it was the last one, or when a supervisor still waits for all of them.
 *
 * @throws {unknown} what the last chain ended with.
 */
export async function runChains(options: RunChainsOptions, stop: AbortSignal): Promise<void> {
  const { config, store, nodes, watch, media, logger, onReady } = options
  const ended = new AbortController()
  const waiting = new Set(config.chains.map(({ id }) => id))
  let running = config.chains.length
  let fault: Error | undefined
  const runs = config.chains.map(async (chain) => {
    const node = nodes.get(chain.id) as ChainNode
    const isReady = () => {
      if (waiting.delete(chain.id) && waiting.size === 0) {
        onReady()
      }
    }
    const onProgress = (text: string) => supervisor.tell({ type: 'progress', text })
    try {
      await runChain(
        { chain, store, node, media, logger, onSynced: isReady, onStandby: isReady, onProgress },
        AbortSignal.any([stop, ended.signal]),
      )
    } catch (error) {
      watch.markStopped(chain.id)
      logger.error({ chain: chain.id, err: error }, 'the chain stopped')
      const supervised = supervisor.isThere && waiting.size > 0
      if (--running > 0 && !supervised) {
        return
      }
      fault ??= error as Error
      ended.abort()
    }
  })
  await Promise.all(runs)
  if (fault) {
    throw fault
  }
}
