import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { serveCommands } from '../commands/serveCommands.ts'
import type { ChainConfig, Config } from '../config/Config.ts'
import { deleteReplaced } from '../discovery/deleteReplaced.ts'
import { NodeLimitStore } from '../discovery/NodeLimitStore.ts'
import { describeUnsharedStore } from '../doctor/checkConfig.ts'
import { Metrics } from '../http/Metrics.ts'
import { startHttpServer } from '../http/startHttpServer.ts'
import { createMedia } from '../media/createMedia.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainWatches } from '../store/ChainWatches.ts'
import { openStores } from '../store/openStores.ts'
import type { Store } from '../store/Store.ts'
import { aborted, runChains } from './runChains.ts'
import { runStoreCommand, type StoreCommand } from './runStoreCommand.ts'
import { supervisor } from './supervisor.ts'

/**
 * With the embedded database, the process has to fit on small machines. By default, V8 lets the heap grow to four times what is
 * in use before it collects all of it.
 */
const heapGrowingPercent = 30

interface StartOptions {
  /**
   * The index is started after the first response to a client, whose requests to the nodes it would delay, and at the latest
   * after this many milliseconds. 0 by default.
   */
  readonly maxIndexDelayMs?: number
  /** Called once the API is reachable, before the chains are indexed. */
  readonly onListening?: (url: string, config: Config, store: Store) => Promise<void>
}

/**
 * Runs the configured role until the signal aborts or the store fails: indexes every configured chain, serves the API, or
 * both.
 *
 * @throws {unknown} the error of the store, the HTTP server or of a chain, see `runChains`.
 */
export async function startService(
  config: Config,
  logger: Logger,
  stopped: AbortSignal,
  { onListening, maxIndexDelayMs = 0 }: StartOptions = {},
): Promise<void> {
  const { port, host, metricsHost, role } = config
  if (config.databaseUrl === undefined) {
    setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  }
  const unshared = describeUnsharedStore(config)
  if (unshared) {
    logger.warn(unshared)
  }
  // Before it opens the store and ends what is in flight, which may take a while.
  stopped.addEventListener('abort', () => logger.info('stopping'), { once: true })
  const { stores, close } = await openStores(config, logger)
  const store = stores.main
  const stop = AbortSignal.any([stopped, store.failed])
  const watch = new ChainWatches(stores, logger)
  try {
    const nodes = new Map(config.chains.map((chain) => [chain.id, createNode(chain, logger)]))
    const limited = config.chains.flatMap(({ id }) => {
      const node = nodes.get(id)
      return node ? [{ chainId: id, node, db: stores.of(id).db }] : []
    })
    const nodeLimits = new NodeLimitStore(limited, logger)
    await nodeLimits.restore()
    // A process that ended at the handover may have left them.
    const indexed = config.chains.filter(({ history }) => history !== 'node')
    await Promise.all(indexed.map(({ id }) => deleteReplaced(stores.of(id).db, id, logger)))
    const media = createMedia(config, logger)
    const metrics = new Metrics({ process: true })
    const service = { config, stores, nodes, watch, media, metrics, logger, role }
    const server = await startHttpServer({ ...service, port, host, metricsHost })
    const { url, metricsUrl } = server
    logger.info({ url, ...(metricsUrl && { metricsUrl }), store: store.kind, role }, 'listening')
    await onListening?.(server.url, config, store)
    // Commands connect to PostgreSQL directly; only the embedded database is locked by this process.
    const endCommands =
      store.kind === 'pglite'
        ? await serveCommands<StoreCommand>(
            config.dataFolder,
            (command, onProgress) => runStoreCommand(store, command, onProgress),
            logger,
          )
        : async () => {}
    const ended = new AbortController()
    const untilEnd = AbortSignal.any([stop, ended.signal])
    const running = Promise.all([nodeLimits.run(untilEnd), media.tokenLists.run(untilEnd)])
    const onReady = () => {
      logger.info({ url: server.url }, 'ready')
      supervisor.send({ type: 'ready', url: server.url })
    }
    try {
      if (role === 'serve') {
        onReady()
        await aborted(stop)
      } else {
        const delayed = delay(maxIndexDelayMs, undefined, { signal: stop }).catch(() => {})
        await Promise.race([metrics.served, delayed])
        await runChains({ config, stores, nodes, watch, media, logger, onReady }, stop)
      }
      store.failed.throwIfAborted()
    } finally {
      ended.abort()
      await running
      await endCommands()
      await server.close()
    }
  } finally {
    await watch.close()
    await close()
  }
}

/** The nodes of a chain. One that serves another chain is not used. */
function createNode({ id, rpcUrls, verify }: ChainConfig, logger: Logger): ChainNode {
  return new ChainNode(rpcUrls, {
    verify,
    chainId: id,
    onOtherChain: (node, served) =>
      logger.error({ chain: id, node }, `the node serves chain ${served}: correct its rpcUrls`),
  })
}
