import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import type { ChainConfig } from '../src/config/Config.ts'
import { Metrics } from '../src/http/Metrics.ts'
import { startHttpServer } from '../src/http/startHttpServer.ts'
import { createKey, type NewKey } from '../src/keys/createKey.ts'
import type { Media } from '../src/media/createMedia.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import { ChainWatch } from '../src/store/ChainWatch.ts'
import type { Store } from '../src/store/Store.ts'
import { createTestMedia } from './createTestMedia.ts'

/** The API on a free port, as a client with a good key sees it. */
export interface TestService {
  readonly url: string
  readonly secret: string
  readonly keyId: number
  /** Asks with the key; `headers` may say otherwise. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** Ends it before the test does. */
  readonly close: () => Promise<void>
  /** Everything that was logged, as text. */
  readonly log: () => string
}

/**
 * Starts the API over a store and the nodes that the chains name. It ends with the test.
 *
 * @param key - what its key is to be.
 * @param stoppedChains - chains whose indexing is to have stopped; may change while the test runs.
 */
export async function startTestService(
  store: Store,
  chains: readonly ChainConfig[],
  stoppedChains: ReadonlySet<number> = new Set(),
  key: Partial<NewKey> = {},
  media: Media = createTestMedia(chains),
): Promise<TestService> {
  const { secret, id: keyId } = await createKey(store.db, { name: 'test', ...key })
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const watch = new ChainWatch(store, logger)
  const server = await startHttpServer({
    config: { chains, defaultRate: { requests: 100_000, seconds: 1 } },
    store,
    nodes: new Map(chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls)])),
    stoppedChains,
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
  onTestFinished(close)
  const { url } = server
  return {
    url,
    secret,
    keyId,
    close,
    async fetch(path, init) {
      // What the test has written is to be in the answer.
      await watch.refresh()
      const headers = { [API_KEY_HEADER]: secret, ...init?.headers }
      return await fetch(url + path, { ...init, headers })
    },
    log: () => lines.join(''),
  }
}
