import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import { startHttpServer } from '../http/startHttpServer.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { openStore } from '../store/openStore.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { runChain } from './runChain.ts'
import { supervisor } from './supervisor.ts'

/**
 * Indexes every configured chain and serves the API, until the signal aborts.
 *
 * A chain that cannot go on stops alone, and is answered no more: its rows may be those of a dead fork. The service ends with it when it was the last one, or when a supervisor still
 * waits for all of them.
 *
 * @throws what the store, the listening or the last chain ended with.
 */
export async function startService(
  config: Config,
  logger: Logger,
  stop: AbortSignal,
): Promise<void> {
  const store = await openStore(storeLocation(config))
  try {
    const nodes = new Map(config.chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls)]))
    const stoppedChains = new Set<number>()
    const { port, host } = config
    const service = { config, store, nodes, stoppedChains, logger }
    const server = await startHttpServer({ ...service, port, host })
    logger.info({ url: server.url, store: store.kind }, 'listening')

    const ended = new AbortController()
    const waiting = new Set(config.chains.map(({ id }) => id))
    let running = config.chains.length
    let fault: Error | undefined
    const runs = config.chains.map(async (chain) => {
      const node = nodes.get(chain.id) as ChainNode
      const onSynced = () => {
        waiting.delete(chain.id)
        if (waiting.size > 0) return
        logger.info({ url: server.url }, 'ready')
        supervisor.tell({ type: 'ready', url: server.url })
      }
      const onProgress = (text: string) => supervisor.tell({ type: 'progress', text })
      const options = { chain, store, node, logger, onSynced, onProgress }
      try {
        await runChain(options, AbortSignal.any([stop, ended.signal]))
      } catch (error) {
        stoppedChains.add(chain.id)
        logger.error({ chain: chain.id, err: error }, 'the chain stopped')
        const supervised = supervisor.isThere && waiting.size > 0
        if (--running > 0 && !supervised) return
        fault ??= error as Error
        ended.abort()
      }
    })
    await Promise.all(runs)
    logger.info('stopping')
    await server.close()
    if (fault) throw fault
  } finally {
    await store.close()
  }
}
