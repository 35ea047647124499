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
import { moveOnMessage } from './moveOnMessage.ts'

/** What the parent sends first. */
export interface ServerOptions {
  readonly location: StoreLocation
  readonly config: object
}

process.once('message', (options: ServerOptions) => void start(options))

async function start({ location, config: text }: ServerOptions): Promise<void> {
  const store = await openStore(location)
  const stores = new Stores(store)
  const logger = pino({ level: 'warn' })
  const watch = new ChainWatches(stores, logger)
  const config = applyOverrides(parseConfig(JSON.stringify(text), 'config.json'), '/', {}, {})
  const server = await startHttpServer({
    ...{ config, stores, watch, logger, host: '127.0.0.1', port: 0 },
    nodes: new Map(config.chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls)])),
    stoppedChains: watch.stoppedChains,
    media: createMedia(config, logger),
    metrics: new Metrics({ process: false }),
  })
  moveOnMessage(store)
  process.send?.({ url: server.url })
}
