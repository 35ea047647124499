import type { JSONSchemaType } from 'ajv'
import { type FactoryOption, mapVenues } from '../pricing/venues/venues.ts'
import type { NodeEndpoint } from '../rpc/transport/NodeEndpoint.ts'
import type { VerifyLevel } from '../rpc/verify/HashChecks.ts'
import type { HistorySource, SearchLimits } from './Config.ts'

/** The configuration file; validation fills in the defaults. */
export interface ConfigFile {
  $schema?: string
  chains: (Record<FactoryOption, string[]> & {
    id: number
    name: string
    tags: string[]
    rpcUrls: (string | NodeEndpoint)[]
    nativeCurrency: { name: string; symbol: string; decimals: number }
    wrappedNative?: string
    wrappedNativeEmitsTransfers: boolean
    nativeAliases: string[]
    stablecoins: string[]
    priceFeeds: { token: string; address: string; heartbeatSeconds: number; everyBlocks?: number }[]
    quoteTokens: string[]
    priceHistory: { exactDays: number; bucketMinutes: number }
    priceWindowMinutes: number
    audit: { callsPerMinute: number }
    verify: VerifyLevel
    marketplaces: string[]
    legacyCollections: {
      address: string
      events: string[]
      ownerOf: string
      recipientEvent?: string
    }[]
    tokens: string[]
    history: HistorySource
    index: 'all' | 'requested'
    searches: SearchLimits
    startBlock: number
    finality: 'finalized' | 'safe' | 'depth'
    finalityDepth: number
    undoDepth?: number
    pollIntervalMs: number
    blockTimeSeconds: number
    staleness: { warnAfterSeconds?: number; rejectAfterSeconds?: number }
    source?: { cryo?: string; portal?: string }
    databaseUrl?: string
  })[]
  host?: string
  port?: number
  metricsPort?: number
  metricsHost?: string
  compression: boolean
  cacheMegabytes?: number
  dataFolder?: string
  defaultRate: string
  databaseUrl?: string
  replicaUrl?: string
  listenUrl?: string
  role?: 'all' | 'index' | 'serve'
  publicUrl?: string
  facts?: {
    folder: string
    blocksPerChunk: number
    memoryLimit: string
    s3?: {
      endpoint?: string
      region?: string
      pathStyle?: boolean
      cacheFolder?: string
      cacheLimit: string
    }
  }
  prices: { epochSeconds: number; minChange: number }
  media: {
    ipfsGateways: string[]
    arweaveGateways: string[]
    tokenLists: string[]
    dangerouslyAllowPrivateNetworks: boolean
  }
}

const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } as const
const webUrl = { type: 'string', pattern: '^https?://[^\\s]+$', format: 'uri' } as const
const webSocketUrl = { type: 'string', pattern: '^wss?://[^\\s@#]+$', format: 'uri' } as const
const databaseUrl = {
  type: 'string',
  pattern: '^postgres(ql)?://',
  format: 'database-url',
  nullable: true,
} as const
const addresses = { type: 'array', items: address, uniqueItems: true } as const
/** A numeric tag would be ambiguous with a chain id in a request. */
const tag = { type: 'string', pattern: '^[a-z][a-z0-9_-]*$' } as const
/** The format of `parseRate`. */
const rate = { type: 'string', pattern: '^[1-9][0-9]{0,8}(/[smh])?$' } as const
/** A size of DuckDB. */
const memory = { type: 'string', pattern: '^[1-9][0-9]{0,5} ?(MB|GB|MiB|GiB)$' } as const
const size = { type: 'string', pattern: '^[1-9][0-9]{0,5} ?(MB|GB)$' } as const
const region = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' } as const
const seconds = { type: 'number', minimum: 1, maximum: 31_536_000 } as const
/** A URL, or an object with one. AJV applies each keyword to values of its type only. */
const endpoint = {
  type: ['string', 'object'],
  pattern: webUrl.pattern,
  format: webUrl.format,
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: webUrl,
    webSocketUrl: { ...webSocketUrl, nullable: true },
    requestsPerSecond: { type: 'number', minimum: 0.1, maximum: 100_000, nullable: true },
    blockReceipts: { type: 'boolean', nullable: true },
  },
} as const

/** What a value has to be that does not match a pattern. */
export const patternDescriptions: Readonly<Record<string, string>> = {
  [address.pattern]: '0x and 40 hex digits',
  [webUrl.pattern]: 'a URL that begins with http:// or https://',
  [webSocketUrl.pattern]:
    'a URL that begins with ws:// or wss://, without user name, password and fragment',
  [databaseUrl.pattern]: 'a URL that begins with postgres:// or postgresql://',
  [tag.pattern]: 'a word of a-z, 0-9, _ and - that begins with a letter',
  [rate.pattern]: 'a rate such as 10/s, 600/m or 5000/h',
  [memory.pattern]: 'a size such as 500MB or 4GB',
  [size.pattern]: 'a size such as 500MB or 20GB',
  [region.pattern]: 'the name of a region, such as us-east-1',
}

const mediaDefaults: ConfigFile['media'] = {
  ipfsGateways: [
    'https://ipfs.io/ipfs/',
    'https://dweb.link/ipfs/',
    'https://gateway.pinata.cloud/ipfs/',
  ],
  arweaveGateways: ['https://arweave.net/'],
  tokenLists: ['@uniswap/default-token-list'],
  dangerouslyAllowPrivateNetworks: false,
}

const searchDefaults: SearchLimits = {
  walletsPerKey: 200,
  tokensPerKey: 20,
  pauseAfterMinutes: 120,
  expireAfterDays: 30,
  maxRows: 20_000_000,
}

/** JSON Schema of `headwater.config.json`. Unknown fields are rejected, so that a misspelled option is not ignored. */
export const configSchema: JSONSchemaType<ConfigFile> = {
  type: 'object',
  additionalProperties: false,
  required: ['chains'],
  properties: {
    // The schema that editors validate with.
    $schema: { type: 'string', nullable: true },
    chains: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'name', 'rpcUrls', 'nativeCurrency'],
        properties: {
          id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          name: { type: 'string', minLength: 1, maxLength: 64 },
          tags: { type: 'array', items: tag, default: [] },
          rpcUrls: {
            type: 'array',
            minItems: 1,
            // JSONSchemaType requires the keywords of both types in each branch.
            items: endpoint as unknown as JSONSchemaType<string | NodeEndpoint>,
          },
          nativeCurrency: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'symbol', 'decimals'],
            properties: {
              name: { type: 'string', minLength: 1 },
              symbol: { type: 'string', minLength: 1 },
              decimals: { type: 'integer', minimum: 0, maximum: 255 },
            },
          },
          wrappedNative: { ...address, nullable: true },
          wrappedNativeEmitsTransfers: { type: 'boolean', default: false },
          nativeAliases: { ...addresses, default: [] },
          stablecoins: { ...addresses, default: [] },
          ...mapVenues((_, { isSingleton }) => ({
            ...addresses,
            // Ids of pools are unique within a singleton only.
            ...(isSingleton && { maxItems: 1 }),
            default: [],
          })),
          priceFeeds: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['token', 'address', 'heartbeatSeconds'],
              properties: {
                token: address,
                address,
                heartbeatSeconds: seconds,
                // Default: as many as half an hour has.
                everyBlocks: { type: 'integer', minimum: 1, nullable: true },
              },
            },
            default: [],
          },
          quoteTokens: { ...addresses, default: [] },
          priceHistory: {
            type: 'object',
            additionalProperties: false,
            required: [],
            properties: {
              exactDays: { type: 'integer', minimum: 0, maximum: 36_500, default: 30 },
              bucketMinutes: { type: 'integer', minimum: 1, maximum: 1440, default: 5 },
            },
            default: { exactDays: 30, bucketMinutes: 5 },
          },
          priceWindowMinutes: { type: 'integer', minimum: 0, maximum: 1440, default: 60 },
          audit: {
            type: 'object',
            additionalProperties: false,
            required: [],
            properties: {
              callsPerMinute: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 300 },
            },
            default: { callsPerMinute: 300 },
          },
          verify: { type: 'string', enum: ['basic', 'head', 'receipts'], default: 'head' },
          marketplaces: { ...addresses, default: [] },
          legacyCollections: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['address', 'events', 'ownerOf'],
              properties: {
                address,
                events: { type: 'array', minItems: 1, items: { type: 'string' } },
                ownerOf: { type: 'string' },
                recipientEvent: { type: 'string', nullable: true },
              },
            },
            default: [],
          },
          tokens: { ...addresses, default: [] },
          history: {
            type: 'string',
            enum: ['node', 'index', 'node-then-index'],
            default: 'node-then-index',
          },
          index: { type: 'string', enum: ['all', 'requested'], default: 'all' },
          searches: {
            type: 'object',
            additionalProperties: false,
            required: [],
            properties: {
              walletsPerKey: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
              tokensPerKey: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
              pauseAfterMinutes: { type: 'number', minimum: 1, maximum: 10_080, default: 120 },
              expireAfterDays: { type: 'number', minimum: 1, maximum: 3650, default: 30 },
              maxRows: { type: 'integer', minimum: 1000, maximum: 1e10, default: 20_000_000 },
            },
            default: searchDefaults,
          },
          startBlock: { type: 'integer', minimum: 0, default: 0 },
          finality: { type: 'string', enum: ['finalized', 'safe', 'depth'], default: 'finalized' },
          finalityDepth: { type: 'integer', minimum: 1, maximum: 100_000, default: 64 },
          // Default: four times the finality depth.
          undoDepth: { type: 'integer', minimum: 1, maximum: 1_000_000, nullable: true },
          pollIntervalMs: { type: 'integer', minimum: 10, maximum: 600_000, default: 1000 },
          blockTimeSeconds: { type: 'number', minimum: 0.001, maximum: 86_400, default: 12 },
          // Their defaults depend on the block time.
          staleness: {
            type: 'object',
            additionalProperties: false,
            required: [],
            properties: {
              warnAfterSeconds: { ...seconds, nullable: true },
              rejectAfterSeconds: { ...seconds, nullable: true },
            },
            default: {},
          },
          source: {
            type: 'object',
            additionalProperties: false,
            required: [],
            minProperties: 1,
            maxProperties: 1,
            properties: {
              cryo: { type: 'string', minLength: 1, nullable: true },
              portal: { ...webUrl, nullable: true },
            },
            nullable: true,
          },
          databaseUrl,
        },
      },
    },
    host: { type: 'string', minLength: 1, nullable: true },
    port: { type: 'integer', minimum: 0, maximum: 65_535, nullable: true },
    metricsPort: { type: 'integer', minimum: 0, maximum: 65_535, nullable: true },
    metricsHost: { type: 'string', minLength: 1, nullable: true },
    compression: { type: 'boolean', default: true },
    cacheMegabytes: { type: 'integer', minimum: 16, maximum: 65_536, nullable: true },
    dataFolder: { type: 'string', minLength: 1, nullable: true },
    defaultRate: { ...rate, default: '6000/m' },
    databaseUrl,
    replicaUrl: databaseUrl,
    listenUrl: databaseUrl,
    role: { type: 'string', enum: ['all', 'index', 'serve'], nullable: true },
    publicUrl: { ...webUrl, nullable: true },
    facts: {
      type: 'object',
      additionalProperties: false,
      required: ['folder'],
      properties: {
        folder: { type: 'string', minLength: 1 },
        blocksPerChunk: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 10_000 },
        memoryLimit: { ...memory, default: '1GB' },
        s3: {
          type: 'object',
          additionalProperties: false,
          required: [],
          properties: {
            endpoint: { ...webUrl, nullable: true },
            region: { ...region, nullable: true },
            pathStyle: { type: 'boolean', nullable: true },
            cacheFolder: { type: 'string', minLength: 1, nullable: true },
            cacheLimit: { ...size, default: '20GB' },
          },
          nullable: true,
        },
      },
      nullable: true,
    },
    prices: {
      type: 'object',
      additionalProperties: false,
      required: [],
      properties: {
        epochSeconds: { type: 'number', minimum: 1, maximum: 3600, default: 30 },
        // Above a hundredth, responses would be wrong rather than late. 0 updates prices with each block.
        minChange: { type: 'number', minimum: 0, maximum: 0.01, default: 0.0001 },
      },
      default: { epochSeconds: 30, minChange: 0.0001 },
    },
    media: {
      type: 'object',
      additionalProperties: false,
      required: [],
      properties: {
        ipfsGateways: { type: 'array', items: webUrl, default: mediaDefaults.ipfsGateways },
        arweaveGateways: { type: 'array', items: webUrl, default: mediaDefaults.arweaveGateways },
        tokenLists: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          default: mediaDefaults.tokenLists,
        },
        dangerouslyAllowPrivateNetworks: { type: 'boolean', default: false },
      },
      default: mediaDefaults,
    },
  },
}
