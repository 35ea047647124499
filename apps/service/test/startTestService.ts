import { pino } from 'pino'
import { API_KEY_HEADER } from '@headwater/contract'
import type { ChainConfig, Config } from '../src/config/Config.ts'
import { Metrics } from '../src/http/Metrics.ts'
import { startHttpServer } from '../src/http/startHttpServer.ts'
import { createKey, type NewKey } from '../src/keys/createKey.ts'
import type { Media } from '../src/media/createMedia.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import { ChainWatches } from '../src/store/ChainWatches.ts'
import type { Store } from '../src/store/Store.ts'
import { Stores } from '../src/store/Stores.ts'
import { createTestMedia } from './createTestMedia.ts'
import { onFixtureFinished } from './shareFixture.ts'

/** The API on a free port, with a valid key. */
export interface TestService {
  readonly url: string
  readonly secret: string
  readonly keyId: number
  readonly watch: ChainWatches
  /** Sends a request with the key, unless `headers` overrides it. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** Stops it before the test ends. */
  readonly close: () => Promise<void>
  /** The log output. */
  readonly log: () => string
}

interface TestServiceOptions {
  readonly key?: Partial<NewKey>
  readonly media?: Media
  /** Those of each block by default. */
  readonly prices?: Config['prices']
}

/** Starts the API with a store and the nodes of the chains. It stops with the test or the shared fixture. */
export async function startTestService(
  store: Store | Stores,
  chains: readonly ChainConfig[],
  { key, media = createTestMedia(chains), prices }: TestServiceOptions = {},
): Promise<TestService> {
  const stores = store instanceof Stores ? store : new Stores(store)
  const { secret, id: keyId } = await createKey(stores.main.db, { name: 'test', ...key })
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const watch = new ChainWatches(stores, logger)
  const server = await startHttpServer({
    config: { chains, defaultRate: { requests: 100_000, seconds: 1 }, ...(prices && { prices }) },
    stores,
    nodes: new Map(chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls, { chainId: id })])),
    watch,
    media,
    metrics: new Metrics({ process: false }),
    logger,
    host: '127.0.0.1',
    port: 0,
  })
  let isClosed = false
  const close = async () => {
    if (isClosed) {
      return
    }
    isClosed = true
    await server.close()
    await watch.close()
  }
  onFixtureFinished(close)
  const { url } = server
  return {
    url,
    secret,
    keyId,
    watch,
    close,
    async fetch(path, init) {
      // The response must include the rows that the test has written.
      await Promise.all(chains.map(({ id }) => watch.refresh(id)))
      const headers = { [API_KEY_HEADER]: secret, ...init?.headers }
      return await fetch(url + path, { ...init, headers })
    },
    log: () => lines.join(''),
  }
}
