import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { pino } from 'pino'
import { API_KEY_HEADER } from '@headwater/contract'
import type { Role } from '../src/config/Config.ts'
import { createApp } from '../src/http/createApp.ts'
import { Metrics } from '../src/http/Metrics.ts'
import { type ApiKey, dataPurpose } from '../src/keys/ApiKey.ts'
import { hashKeyToBase64 } from '../src/keys/hashKey.ts'
import { KeyReader } from '../src/keys/KeyReader.ts'
import { RateLimiter } from '../src/keys/RateLimiter.ts'
import { UnitMeter } from '../src/keys/UnitMeter.ts'
import type { Database } from '../src/store/Database.ts'
import { Stores } from '../src/store/Stores.ts'
import { createTestMedia } from './createTestMedia.ts'
import { testChainConfig } from './testChainConfig.ts'

/** Returns a well-formed secret. */
export function testSecret(number: number): string {
  return `hw_${String(number).padStart(43, '0')}`
}

/** The HTTP API without a server and without a database: for everything that is settled before the store is read. */
export interface TestApp {
  /** Sends a request with the first key; `headers` may override it. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** All logged lines. */
  readonly log: () => string
}

/**
 * Creates the app.
 *
 * @param options.keys - properties of the keys with the secrets `testSecret(1)`, `testSecret(2)` and so on.
 * @param options.storeError - the error of each access to the store.
 * @param options.isStoreUnavailable - whether that is known.
 */
export function createTestApp({
  chains = [testChainConfig(7)],
  keys = [{}],
  storeError = new Error('The test has no database'),
  isStoreUnavailable = false,
  role,
}: {
  readonly chains?: readonly ReturnType<typeof testChainConfig>[]
  readonly keys?: readonly Partial<ApiKey>[]
  readonly storeError?: Error
  readonly isStoreUnavailable?: boolean
  readonly role?: Role
} = {}): TestApp {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const db = createFailingDatabase(storeError)
  const issued = new Map(
    keys.map((key, index) => [
      hashKeyToBase64(testSecret(index + 1)),
      { ...testKey, id: index + 1, ...key },
    ]),
  )
  const access = {
    reader: new KeyReader(() => Promise.resolve(issued)),
    limiter: new RateLimiter(),
    meter: new UnitMeter(db, logger),
  }
  const service = {
    config: { chains, defaultRate: { requests: 100_000, seconds: 1 } },
    stores: new Stores({ db, reader: db, replica: undefined }),
    watch: {
      get: () => undefined,
      isStopped: () => false,
      getFailure: () => undefined,
      isUnavailable: () => isStoreUnavailable,
      onUpdate: () => {},
      onPublished: () => {},
      publishing: () => undefined,
      refresh: () => Promise.resolve(),
    },
    nodes: new Map<number, never>(),
    media: createTestMedia(chains),
    metrics: new Metrics({ process: false }),
    logger,
    ...(role && { role }),
  }
  const { app } = createApp(service, access)
  return {
    async fetch(path, init) {
      const headers = { [API_KEY_HEADER]: testSecret(1), ...init?.headers }
      return await app.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
    },
    log: () => lines.join(''),
  }
}

const testKey: ApiKey = {
  id: 1,
  name: 'test',
  prefix: 'hw_0000000',
  purpose: dataPurpose,
  createdAt: new Date('2026-01-01'),
  expiresAt: undefined,
  revokedAt: undefined,
  rate: undefined,
  unitsQuota: undefined,
  unitsUsed: 0,
  usedAt: undefined,
}

function createFailingDatabase(error: Error): Kysely<Database> {
  const driver = Object.assign(new DummyDriver(), {
    acquireConnection: () => Promise.reject(error),
  })
  return new Kysely<Database>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
