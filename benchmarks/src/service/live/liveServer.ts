// A service with the embedded store or PostgreSQL, in its own process. On demand, it commits blocks, as in the combined role.
import { pino } from 'pino'
import { applyOverrides } from '../../../../apps/service/src/config/loadConfig.ts'
import { parseConfig } from '../../../../apps/service/src/config/parseConfig.ts'
import { Metrics } from '../../../../apps/service/src/http/Metrics.ts'
import { startHttpServer } from '../../../../apps/service/src/http/startHttpServer.ts'
import { createMedia } from '../../../../apps/service/src/media/createMedia.ts'
import { ChainNode } from '../../../../apps/service/src/rpc/ChainNode.ts'
import { ChainWatches } from '../../../../apps/service/src/store/ChainWatches.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import type { StoreLocation } from '../../../../apps/service/src/store/Store.ts'
import { Stores } from '../../../../apps/service/src/store/Stores.ts'
import { now } from '../../now.ts'
import { benchChainId } from '../history/startNode.ts'
import { moveOnMessage } from './moveOnMessage.ts'

/** What the parent sends first. */
export interface ServerOptions {
  readonly location: StoreLocation
  readonly config: object
}

/** A block, when its changes were read, and when responses of it were served. */
export type PublishedBlock = readonly [block: number, readAt: number, servedAt: number]

process.once('message', (options: ServerOptions) => void start(options))

async function start({ location, config: text }: ServerOptions): Promise<void> {
  const store = await openStore(location)
  const stores = new Stores(store)
  const logger = pino({ level: 'warn' })
  const watch = new ChainWatches(stores, logger)
  const published: PublishedBlock[] = []
  // The first listener: prices are updated after it.
  watch.onUpdate(({ block }) => {
    published.push([block?.number ?? 0, now(), Infinity])
    return Promise.resolve()
  })
  watch.onPublished(({ block }) => {
    const last = published.at(-1)
    if (last && last[0] === block?.number) {
      published.splice(-1, 1, [last[0], last[1], now()])
    }
  })
  const config = applyOverrides(parseConfig(JSON.stringify(text), 'config.json'), '/', {}, {})
  const server = await startHttpServer({
    config,
    stores,
    watch,
    logger,
    host: '127.0.0.1',
    port: 0,
    nodes: new Map(config.chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls)])),
    media: createMedia(config, logger),
    metrics: new Metrics({ process: false }),
  })
  // As the indexer does: the embedded database has one session.
  const waitForPublication = () => watch.publishing(benchChainId)
  moveOnMessage(store, store.kind === 'pglite' ? waitForPublication : undefined)
  process.on('message', (message) => {
    if (message === 'published') {
      process.send?.({ published })
    }
  })
  // With an exit code, so that Node.js writes profiles (`NODE_OPTIONS=--cpu-prof`).
  process.once('SIGTERM', () => process.exit())
  process.send?.({ url: server.url })
}
