// The fake service of `@headwater/testing` must validate requests like this service: the same requests are sent to both.
import { expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createFakeService } from '@headwater/testing'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'

const fake = createFakeService({ changes: true })
const wallet = fake.wallet('empty').address
const usdc = fake.token('USDC')
const [collection] = fake.collections
const unknown = `0x${'0'.repeat(39)}1`
const balances = `/v1/evm/balances/${wallet}`
const single = `${balances}/token/${usdc.address}`
const holders = `/v1/evm/token-holders/1/${usdc.address}`
const info = `/v1/evm/token-info/${usdc.address}`
const collectibles = `/v1/evm/collectibles/${wallet}`

const paths = [
  // Valid. Native amounts and supplies would need a node.
  `${balances}?filters=erc20`,
  `${balances}?filters=erc20&chain_ids=1`,
  `${balances}?filters=erc20&chain_ids=mainnet,%201,1&colour=red&colour=blue`,
  `${balances}?filters=erc20&chain_ids=1,77,78`,
  `${balances}?filters=erc20&chain_ids=77`,
  `${balances}?filters=erc20&chain_ids=1&limit=99999&offset=made-up`,
  `${balances}?filters=erc20&chain_ids=1&metadata=logo,url,pools,audit&historical_prices=24,1`,
  `${balances}?filters=erc20&chain_ids=1&exclude_spam_tokens=true`,
  `/v1/evm/balances/${wallet.toUpperCase().replace('X', 'x')}?filters=erc20&chain_ids=1`,
  `${single}?chain_ids=1`,
  `${single}?chain_ids=1&historical_prices=1,2,3&limit=0`,
  holders,
  `${holders}?limit=1`,
  `${holders}?limit=501&offset=${'A'.repeat(40)}`,
  `/v1/evm/token-holders/1/${collection?.address}`,
  `${info}?chain_ids=1&limit=0`,
  collectibles,
  `${collectibles}?chain_ids=77,1&limit=3000`,
  '/v1/evm/supported-chains',
  // Invalid.
  ...['0', '-1', 'ten', '1.5', '1e2', ''].flatMap((limit) => [
    `${balances}?limit=${limit}`,
    `${holders}?limit=${limit}`,
    `${collectibles}?limit=${limit}`,
  ]),
  `${info}?chain_ids=1&limit=-1`,
  ...['1,2,3,4', '0', '1,0', '-1', '1.5', '', '1,,2', '9007199254740992'].flatMap((hours) => [
    `${balances}?historical_prices=${hours}`,
    `${info}?chain_ids=1&historical_prices=${hours}`,
    `${single}?chain_ids=1&historical_prices=${hours}`,
  ]),
  ...[
    '',
    '1,',
    '0',
    '-1',
    '1.0',
    '9007199254740993',
    'a%20b',
    'Ethereum',
    'base',
    '1,nonsense',
  ].flatMap((ids) => [`${balances}?chain_ids=${ids}`, `${collectibles}?chain_ids=${ids}`]),
  ...['', 'default', '1,8453', '77', 'polygon', '1&chain_ids=1'].flatMap((ids) => [
    `${info}?chain_ids=${ids}`,
    `${single}?chain_ids=${ids}`,
  ]),
  info,
  single,
  ...['77', '0', 'one', 'Ethereum', '9007199254740993', '%E0%A4%A'].map(
    (id) => `/v1/evm/token-holders/${id}/${usdc.address}`,
  ),
  `${balances}?filters=nft`,
  `${balances}?metadata=logo,colour`,
  `${balances}?exclude_spam_tokens=yes`,
  ...['0x12', `${wallet}0`, 'native', 'vitalik.eth', '%20'].flatMap((address) => [
    `/v1/evm/balances/${address}`,
    `/v1/evm/collectibles/${address}`,
    `/v1/evm/token-holders/1/${address}`,
  ]),
  `/v1/evm/token-info/ether?chain_ids=1`,
  `/v1/evm/token-info/${unknown}?chain_ids=1`,
  `/v1/evm/token-holders/1/${unknown}`,
  `${balances}/token/${unknown}?chain_ids=1`,
  ...['/v2', '/v1/evm/balances', '/v1/evm/balances/', `${balances}/`, `${balances}/token/`],
  // Of a base URL with a path.
  ...[balances, '/v1/evm/supported-chains', '/health', '/beta/token/logo/1'].map(
    (path) => `/v1${path}`,
  ),
  '/beta/token/logo/1/2/3',
]

/** The properties of a response that do not depend on the data of a chain. */
async function shapeOf(response: Response) {
  const { status, headers } = response
  const body = (await response.json()) as Record<string, unknown>
  // The fake service does not compress responses.
  const own = new Set([
    ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'vary'],
  ])
  const warnings = body['warnings'] as { code: string; chain_ids: number[] }[] | undefined
  return {
    status,
    headers: [...headers.keys()].filter((name) => !own.has(name)).sort(),
    units: headers.get('x-compute-units-cost'),
    fields: Object.keys(body).sort(),
    code: body['code'],
    param: body['param'],
    warnings: warnings?.map(({ code, chain_ids }) => ({ code, chain_ids })),
  }
}

it('responds to requests like the fake service', { timeout: 120_000 }, async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const chains = fake.chains.map(({ id, name, tags }) =>
    testChainConfig(id, { name, tags: [...tags] }),
  )
  for (const { id: chainId } of chains) {
    await seedChain(store.db, {
      chainId,
      blocks: { 0: 1_700_000_000, 5: 1_700_000_005 },
      tokens: [
        { address: usdc.address, decimals: 6 },
        { address: String(collection?.address), decimals: null, standard: 721 },
      ],
      // Two holders, so that there is a second page.
      balances: [1n, 2n].map((amount) => ({
        holder: `0x${'0'.repeat(38)}f${amount}`,
        token: usdc.address,
        amount,
      })),
    })
  }
  const real = await startTestService(store, chains)

  const inits: RequestInit[] = [
    { headers: { [API_KEY_HEADER]: 'wrong' } },
    { headers: { [API_KEY_HEADER]: '' } },
    { method: 'POST' },
  ]
  const requests = [
    ...paths.map((path) => ({ path, init: {} as RequestInit })),
    ...inits.map((init) => ({ path: `${balances}?limit=0`, init })),
  ]
  const fromReal = []
  const fromFake = []
  for (const { path, init } of requests) {
    fromReal.push({ path, init, ...(await shapeOf(await real.fetch(path, init))) })
    const headers = { [API_KEY_HEADER]: fake.key, ...(init.headers as Record<string, string>) }
    fromFake.push({
      path,
      init,
      ...(await shapeOf(await fake.fetch(fake.url + path, { ...init, headers }))),
    })
  }
  expect(fromFake).toEqual(fromReal)
  expect(new Set(fromReal.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404, 405]))
})
