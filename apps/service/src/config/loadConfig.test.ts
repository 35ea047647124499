import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mapVenues } from '../pricing/venues/venues.ts'
import { defaultConfigFile, loadConfig, loadStoreConfig } from './loadConfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const chain = {
  id: 31337,
  name: 'devnet',
  rpcUrls: ['http://127.0.0.1:8545'],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}
const upper = '0xC02AAA39B223FE8D0A0E5C4F27EAD9083C756CC2'

function write(content: unknown): string {
  const file = join(folder, 'headwater.config.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('loadConfig', () => {
  it('reads a file that begins with a byte order mark, as some editors write it', () => {
    const file = write(`\uFEFF${JSON.stringify({ chains: [chain] })}`)
    expect(loadConfig(file, {}, {}).chains).toHaveLength(1)
  })

  it('fills in defaults and lower-cases addresses', () => {
    const file = write({
      chains: [
        {
          ...chain,
          wrappedNative: upper,
          stablecoins: [upper],
          uniswapV2Factories: [upper],
          marketplaces: [upper],
        },
      ],
    })
    const lower = upper.toLowerCase()
    expect(loadConfig(file, {}, {})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataFolder: join(folder, 'headwater-data'),
      role: 'all',
      compression: true,
      defaultRate: { requests: 6000, seconds: 60 },
      prices: { epochSeconds: 30, minChange: 0.0001 },
      media: {
        ipfsGateways: [
          'https://ipfs.io/ipfs/',
          'https://dweb.link/ipfs/',
          'https://gateway.pinata.cloud/ipfs/',
        ],
        arweaveGateways: ['https://arweave.net/'],
        tokenLists: ['@uniswap/default-token-list'],
        dangerouslyAllowPrivateNetworks: false,
      },
      chains: [
        {
          ...chain,
          tags: [],
          wrappedNative: lower,
          wrappedNativeEmitsTransfers: false,
          stablecoins: [lower],
          ...mapVenues(() => []),
          uniswapV2Factories: [lower],
          quoteTokens: [],
          priceFeeds: [],
          priceHistory: { exactDays: 30, bucketMinutes: 5 },
          priceWindowMinutes: 60,
          history: 'node-then-index',
          searches: {
            walletsPerKey: 200,
            tokensPerKey: 20,
            pauseAfterMinutes: 120,
            expireAfterDays: 30,
            maxRows: 20_000_000,
          },
          audit: { callsPerMinute: 300 },
          marketplaces: [lower],
          nativeAliases: [],
          legacyCollections: [],
          tokens: [],
          staleness: { warnAfterSeconds: 120, rejectAfterSeconds: 1200 },
          startBlock: 0,
          finality: 'finalized',
          finalityDepth: 64,
          undoDepth: 256,
          pollIntervalMs: 1000,
          verify: 'head',
        },
      ],
    })
  })

  it('prefers the command line over the environment, and the environment over the file', () => {
    const file = write({
      chains: [chain],
      port: 1,
      host: '::1',
      dataFolder: 'inFile',
      databaseUrl: 'postgres://inFile',
      defaultRate: '10/s',
    })
    expect(loadConfig(file, {}, {})).toMatchObject({
      port: 1,
      host: '::1',
      dataFolder: join(folder, 'inFile'),
      databaseUrl: 'postgres://inFile',
      defaultRate: { requests: 10, seconds: 1 },
    })
    const environment = {
      PORT: '2',
      HOST: '0.0.0.0',
      HEADWATER_DATA: 'inEnvironment',
      DATABASE_URL: 'postgresql://inEnvironment',
    }
    expect(loadConfig(file, {}, environment)).toMatchObject({
      port: 2,
      host: '0.0.0.0',
      dataFolder: resolve('inEnvironment'),
      databaseUrl: 'postgresql://inEnvironment',
    })
    const commanded = loadConfig(file, { port: '0', data: '/commanded' }, environment)
    expect(commanded).toMatchObject({ port: 0, dataFolder: '/commanded' })
  })

  it('resolves token lists against the file, and prefers the public URL of the environment', () => {
    const tokenLists = ['lists/own.json', 'https://a.example/list', '@uniswap/default-token-list']
    const file = write({
      chains: [chain],
      publicUrl: 'https://in-file.example',
      media: { tokenLists },
    })
    expect(loadConfig(file, {}, {})).toMatchObject({
      publicUrl: 'https://in-file.example',
      media: { tokenLists: [join(folder, 'lists/own.json'), ...tokenLists.slice(1)] },
    })
    const environment = { HEADWATER_PUBLIC_URL: 'https://api.example' }
    expect(loadConfig(file, {}, environment).publicUrl).toBe('https://api.example')
  })

  it.each([
    ['https://api.example\n', 'https://api.example'],
    [' https://api.example/base/', 'https://api.example/base'],
    ['https://例え.jp', 'https://xn--r8jz45g.jp'],
    ['https://api.example/ü—', 'https://api.example/%C3%BC%E2%80%94'],
  ])('parses the public URL %j, which headers contain', (text, publicUrl) => {
    const file = write({ chains: [chain] })
    expect(loadConfig(file, {}, { HEADWATER_PUBLIC_URL: text })).toMatchObject({ publicUrl })
  })

  it.each([
    'ftp://a.example',
    'https://u@a.example',
    'https://:p@a.example',
    'https://a.example/?',
  ])('rejects the public URL %s', (publicUrl) => {
    const message = /HEADWATER_PUBLIC_URL or publicUrl must be/
    const environment = { HEADWATER_PUBLIC_URL: publicUrl }
    expect(() => loadConfig(write({ chains: [chain] }), {}, environment)).toThrow(message)
  })

  it('rejects a public URL with a fragment in the file, and one without a scheme', () => {
    const message = /HEADWATER_PUBLIC_URL or publicUrl must be/
    const file = write({ chains: [chain], publicUrl: 'https://a.example/#b' })
    expect(() => loadConfig(file, {}, {})).toThrow(message)
    const environment = { HEADWATER_PUBLIC_URL: 'api.example' }
    expect(() => loadConfig(file, {}, environment)).toThrow(message)
  })

  it('takes null for a missing field', () => {
    const nulls = {
      databaseUrl: null,
      metricsPort: null,
      publicUrl: null,
      defaultRate: null,
      chains: [{ ...chain, staleness: { warnAfterSeconds: null }, databaseUrl: null }],
    }
    expect(loadConfig(write(nulls), {}, {})).toEqual(loadConfig(write({ chains: [chain] }), {}, {}))
  })

  it.each<[string, unknown, RegExp]>([
    [
      'a port that does not exist',
      { chains: [{ ...chain, rpcUrls: ['http://a:99999'] }] },
      /chains\.0\.rpcUrls\.0 is not a valid URL/,
    ],
    [
      'a password with a bare %',
      { chains: [{ ...chain, rpcUrls: ['https://a:1%@b'] }] },
      /chains\.0\.rpcUrls\.0 is not a valid URL; %.* are written as %25/,
    ],
    ...(['databaseUrl', 'replicaUrl', 'listenUrl'] as const).map(
      (option): [string, unknown, RegExp] => [
        `a password with a bare # in ${option}`,
        { chains: [chain], databaseUrl: 'postgres://a', [option]: 'postgres://a:b#c@d/e' },
        new RegExp(`${option} is not a valid URL; .* written as .*%23(?!.*b#c)`),
      ],
    ),
    [
      'a gateway with a query',
      { chains: [chain], media: { ipfsGateways: ['https://a/ipfs/?token=b'] } },
      /media\.ipfsGateways\.0 cannot be used: .* is a prefix; remove its query and fragment$/,
    ],
    [
      'a gateway with a fragment',
      { chains: [chain], media: { arweaveGateways: ['https://a/#'] } },
      /media\.arweaveGateways\.0 cannot be used: .* is a prefix/,
    ],
    [
      'a gateway with a password',
      { chains: [chain], media: { ipfsGateways: ['https://a', 'https://b:c@d/ipfs/'] } },
      /media\.ipfsGateways\.1 cannot be used: The URL contains a user name$/,
    ],
    [
      'a token list with a password',
      { chains: [chain], media: { tokenLists: ['https://b:c@d/list.json'] } },
      /media\.tokenLists\.0 cannot be used: The URL contains a user name$/,
    ],
    [
      'a token list of another scheme',
      { chains: [chain], media: { tokenLists: ['ipfs://list'] } },
      /media\.tokenLists\.0 cannot be used: The scheme ipfs: is not allowed$/,
    ],
    [
      'a limit below its default',
      { chains: [{ ...chain, staleness: { rejectAfterSeconds: 5 } }] },
      /rejectAfterSeconds, 5, is less than warnAfterSeconds, \d+ by default$/,
    ],
    [
      'a limit below the interval of polls',
      {
        chains: [
          {
            ...chain,
            pollIntervalMs: 60_000,
            staleness: { warnAfterSeconds: 5, rejectAfterSeconds: 50 },
          },
        ],
      },
      /chain 31337: rejectAfterSeconds, 50, is less than pollIntervalMs, 60000/,
    ],
    [
      'memory that is too little',
      { chains: [chain], facts: { folder: 'a', memoryLimit: '200 MiB' } },
      /facts\.memoryLimit must be at least 256MB, such as 1GB, not "200 MiB"$/,
    ],
    ...(['stablecoins', 'uniswapV2Factories'] as const).map((option): [string, unknown, RegExp] => [
      `an address of ${option} in two cases`,
      { chains: [{ ...chain, [option]: [upper, upper.toLowerCase()] }] },
      new RegExp(`${option} of chain 31337 lists an address twice`),
    ]),
    ['text that is not JSON', '{', /headwater\.config\.json is not JSON/],
    ['no chains', {}, /: chains is missing$/],
    ['an empty list of chains', { chains: [] }, /chains is empty: add at least one$/],
    [
      'a missing field',
      { chains: [{ ...chain, rpcUrls: undefined }] },
      /chains\.0\.rpcUrls is missing/,
    ],
    [
      'a chain without a preset that is not described',
      { chains: [{ id: 987_654_321, rpcUrls: ['http://a'] }] },
      /chains\.0\.name is missing: chain 987654321 has no preset, add its name and nativeCurrency$/,
    ],
    [
      'the id of a chain as text',
      { chains: [{ id: '1', rpcUrls: ['http://a'] }] },
      /chains\.0\.id must be a whole number above 0, not "1"$/,
    ],
    [
      'a source without an option',
      { chains: [{ ...chain, source: {} }] },
      /chains\.0\.source must have one of cryo, portal$/,
    ],
    [
      'two sources',
      { chains: [{ ...chain, source: { cryo: 'a', portal: 'http://a' } }] },
      /chains\.0\.source must have one of cryo, portal$/,
    ],
    [
      'a misspelled option',
      { chains: [{ ...chain, rpcUrl: 'x' }] },
      /chains\.0\.rpcUrl is not an option/,
    ],
    [
      'a bad address',
      { chains: [{ ...chain, stablecoins: ['0x12'] }] },
      /chains\.0\.stablecoins\.0 must be 0x and 40 hex digits, not "0x12"/,
    ],
    [
      'a tag like an id',
      { chains: [{ ...chain, tags: ['1'] }] },
      /chains\.0\.tags\.0 must be a word/,
    ],
    [
      'an id that is text',
      { chains: [{ ...chain, id: '1' }] },
      /chains\.0\.id must be integer, not "1"/,
    ],
    [
      'a value that is not among some',
      { chains: [{ ...chain, verify: 'all' }] },
      /chains\.0\.verify must be one of "basic", "head", "receipts", not "all"/,
    ],
    ['one id twice', { chains: [chain, chain] }, /duplicate chain id 31337/],
    ['a rate of zero', { chains: [chain], defaultRate: '0/s' }, /: defaultRate must be .*"0\/s"/],
    ['a rate per day', { chains: [chain], defaultRate: '5/d' }, /: defaultRate must .*"5\/d"/],
    [
      'a websocket node',
      { chains: [{ ...chain, rpcUrls: ['ws://a'] }] },
      /chains\.0\.rpcUrls\.0 must be a URL that begins with http/,
    ],
    [
      'an index of requested tokens without nodes',
      { chains: [{ ...chain, history: 'index', index: 'requested' }] },
      /index "requested" of chain 31337 requires that its nodes answer the rest/,
    ],
    [
      'a node without a URL',
      { chains: [{ ...chain, rpcUrls: [{ requestsPerSecond: 5 }] }] },
      /chains\.0\.rpcUrls\.0\.url is missing/,
    ],
    [
      'a node with a rate of zero',
      { chains: [{ ...chain, rpcUrls: [{ url: 'http://a', requestsPerSecond: 0 }] }] },
      /chains\.0\.rpcUrls\.0\.requestsPerSecond must be >= 0\.1/,
    ],
    ...['wss://a:99999', 'wss://a/#b'].map((webSocketUrl): [string, unknown, RegExp] => [
      `the WebSocket ${webSocketUrl}, which cannot be opened`,
      { chains: [{ ...chain, rpcUrls: [{ url: 'http://a', webSocketUrl }] }] },
      /chains\.0\.rpcUrls\.0\.webSocketUrl (is not a valid URL|must be a URL that begins with ws)/,
    ]),
    [
      'an unknown option of a node',
      { chains: [{ ...chain, rpcUrls: [{ url: 'http://a', rps: 5 }] }] },
      /chains\.0\.rpcUrls\.0\.rps is not an option/,
    ],
  ])('rejects %s', (_, content, message) => {
    expect(() => loadConfig(write(content), {}, {})).toThrow(message)
  })

  it.each<[string, unknown]>([
    ['of a node', { chains: [{ ...chain, rpcUrls: ['wss://hunter2@a'] }] }],
    [
      'of a node with a limit',
      { chains: [{ ...chain, rpcUrls: [{ url: 'wss://hunter2@a', requestsPerSecond: 1 }] }] },
    ],
    ['of a node outside of a list', { chains: [{ ...chain, rpcUrls: 'https://hunter2@a' }] }],
    ['in place of another value', { chains: { rpcUrls: ['https://hunter2@a'] } }],
    ['of the database', { chains: [chain], databaseUrl: 'mysql://hunter2@a' }],
    ['in text that is not JSON', '{"databaseUrl": hunter2}'],
  ])('does not print the URL %s, which may contain a secret', (_, content) => {
    expect(() => loadConfig(write(content), {}, {})).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }),
    )
  })

  it('does not index a chain whose index has requested tokens only', () => {
    const [found] = loadConfig(write({ chains: [{ ...chain, index: 'requested' }] }), {}, {}).chains
    expect(found).toMatchObject({ history: 'node' })
  })

  it('accepts nodes as URLs and as objects with limits', () => {
    const rpcUrls = [
      'http://a',
      { url: 'https://b/key', requestsPerSecond: 25 },
      { url: 'http://c', blockReceipts: false },
    ]
    const file = write({ chains: [{ ...chain, rpcUrls }] })
    expect(loadConfig(file, {}, {}).chains[0]?.rpcUrls).toEqual(rpcUrls)
  })

  it('rejects one port for the API and for its metrics, unless their hosts differ', () => {
    const file = write({ chains: [chain], metricsPort: 8080 })
    const message = /^metricsPort \(or METRICS_PORT\) and port are both 8080/
    expect(() => loadConfig(file, {}, {})).toThrow(message)
    expect(() => loadConfig(file, { port: '81' }, { METRICS_PORT: '81' })).toThrow(/both 81/)
    expect(loadConfig(file, { port: '81' }, {})).toMatchObject({ port: 81, metricsPort: 8080 })
    expect(() => loadConfig(file, {}, { METRICS_HOST: '10.0.0.1' })).not.toThrow()
    expect(() => loadConfig(file, { port: '0' }, { METRICS_PORT: '0' })).not.toThrow()
  })

  it('reads the role and the replica from the file, the environment and the command line', () => {
    const databases = { databaseUrl: 'postgres://a', replicaUrl: 'postgres://b' }
    const file = write({ chains: [chain], ...databases, role: 'index' })
    expect(loadConfig(file, {}, {})).toMatchObject({ ...databases, role: 'index' })
    const environment = { HEADWATER_ROLE: 'serve', DATABASE_REPLICA_URL: 'postgres://c' }
    expect(loadConfig(file, {}, environment)).toMatchObject({
      role: 'serve',
      replicaUrl: 'postgres://c',
    })
    expect(loadConfig(file, { role: 'all' }, environment).role).toBe('all')
    expect(() => loadConfig(file, { role: 'both' }, {})).toThrow(
      /^--role must be all, index or serve, not "both"$/,
    )
    const alone = write({ chains: [chain], replicaUrl: 'postgres://b' })
    expect(() => loadConfig(alone, {}, {})).toThrow(/databaseUrl/)
  })

  it('reads the connection for notifications from the file and the environment', () => {
    const databases = { databaseUrl: 'postgres://a', listenUrl: 'postgres://b' }
    const file = write({ chains: [chain], ...databases })
    expect(loadConfig(file, {}, {})).toMatchObject(databases)
    const environment = { DATABASE_LISTEN_URL: 'postgres://c' }
    expect(loadConfig(file, {}, environment).listenUrl).toBe('postgres://c')
    const alone = write({ chains: [chain], listenUrl: 'postgres://b' })
    expect(() => loadConfig(alone, {}, {})).toThrow(/listenUrl requires databaseUrl/)
  })

  it('reads the database of a chain from the file and the environment', () => {
    const chains = [{ ...chain, databaseUrl: 'postgres://b' }]
    const file = write({ chains, databaseUrl: 'postgres://a' })
    expect(loadConfig(file, {}, {}).chains).toMatchObject([{ databaseUrl: 'postgres://b' }])
    const environment = { [`DATABASE_URL_${chain.id}`]: 'postgres://c' }
    expect(loadConfig(file, {}, environment).chains).toMatchObject([
      { databaseUrl: 'postgres://c' },
    ])
    const alone = write({ chains: [chain] })
    expect(() => loadConfig(alone, {}, environment)).toThrow(
      `databaseUrl of chain ${chain.id} requires databaseUrl of the service`,
    )
    expect(() => loadConfig(file, {}, { [`DATABASE_URL_${chain.id}`]: 'b:secret' })).toThrow(
      `DATABASE_URL_${chain.id} must begin with postgres://`,
    )
    const invalid = write({ chains: [{ ...chain, databaseUrl: 'b:secret' }] })
    expect(() => loadConfig(invalid, {}, {})).toThrow(
      /chains\.0\.databaseUrl must be a URL that begins with postgres(?!.*secret)/,
    )
  })

  it('has facts in a folder or in S3', () => {
    const load = (facts: object, environment = {}) =>
      loadConfig(write({ chains: [chain], facts }), {}, environment).facts
    expect(load({ folder: 'facts' })).not.toHaveProperty('s3')
    expect(load({ folder: 'facts' })?.folder).toBe(join(folder, 'facts'))
    expect(load({ folder: 'facts', memoryLimit: '1GiB' })?.memoryLimit).toBe('1GiB')
    const remote = 's3://bucket/some/prefix'
    expect(load({ folder: remote })).toMatchObject({
      folder: remote,
      s3: {
        pathStyle: false,
        cacheBytes: 20e9,
        cacheFolder: join(folder, 'headwater-data/facts'),
      },
    })
    const endpoint = 'https://s3.example.com'
    const s3 = { endpoint, cacheLimit: '500 MB', cacheFolder: 'copies' }
    expect(load({ folder: remote, s3 })?.s3).toEqual({
      endpoint,
      region: 'us-east-1',
      pathStyle: true,
      cacheFolder: join(folder, 'copies'),
      cacheBytes: 5e8,
    })
    const environment = { AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: 'eu-west-1' }
    expect(load({ folder: remote }, environment)?.s3).toMatchObject({ pathStyle: true })
    expect(() => load({ folder: 'facts', s3 })).toThrow('facts.s3 requires facts.folder to be s3')
    expect(() => load({ folder: 's3://B/a' })).toThrow(/facts\.folder must be .* not "s3:\/\/B/)
    expect(() => load({ folder: 'gs://bucket' })).toThrow(/facts\.folder must be/)
    expect(() => load({ folder: remote, s3: { endpoint: 'ftp://a' } })).toThrow(
      /facts\.s3\.endpoint must be a URL/,
    )
    expect(() => load({ folder: remote, s3: { cacheLimit: '1' } })).toThrow(
      /facts\.s3\.cacheLimit must be a size/,
    )
  })

  it('rejects an invalid variable and a missing file', () => {
    const file = write({ chains: [chain] })
    expect(() => loadConfig(file, {}, { PORT: '80a' })).toThrow(/^PORT must be .* not "80a"$/)
    expect(() => loadConfig(file, { port: '70000' }, {})).toThrow(/^--port must be/)
    expect(() => loadConfig(file, {}, { DATABASE_URL: 'mysql://a' })).toThrow(/^DATABASE_URL must/)
    expect(() => loadConfig(file, {}, { DATABASE_URL: 'postgres://a:b/c@d' })).toThrow(
      /^DATABASE_URL is not a valid URL; .* written as .*%2F(?!.*b\/c)/,
    )
    for (const url of ['postgres://a@/b?host=/run', 'postgres:///b', 'postgres://%2Frun/b']) {
      expect(loadConfig(file, {}, { DATABASE_URL: url }).databaseUrl).toBe(url)
    }
    expect(() => loadConfig(join(folder, 'none.json'), {}, {})).toThrow(
      /none\.json does not exist.*--config/,
    )
    expect(() => loadConfig(folder, {}, {})).toThrow(
      /^The configuration file .* cannot be read \(EISDIR.*\): permit this user to read it, or name another with --config/,
    )
  })
})

describe('loadStoreConfig', () => {
  it('finds the store of a service without a file', () => {
    const load = (data: string, environment = {}) =>
      loadStoreConfig(defaultConfigFile, { data }, environment)
    expect(load(folder)).toEqual({ chains: [], dataFolder: folder })
    const none = join(folder, 'none')
    expect(() => load(none)).toThrow('headwater.config.json does not exist')
    expect(load(none, { DATABASE_URL: 'postgres://a' })).toMatchObject({
      databaseUrl: 'postgres://a',
    })
    expect(() => load(folder, { DATABASE_URL: 'a:secret' })).toThrow(/^DATABASE_URL must begin/)
  })

  it('requires a file that is named', () => {
    const file = write({ chains: [chain], dataFolder: 'a' })
    expect(loadStoreConfig(file, {}, {}).dataFolder).toBe(join(folder, 'a'))
    expect(() => loadStoreConfig(join(folder, 'none.json'), { data: folder }, {})).toThrow(
      'none.json does not exist',
    )
  })
})
