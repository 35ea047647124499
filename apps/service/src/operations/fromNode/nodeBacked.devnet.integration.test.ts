import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  numberToHex,
  parseAbi,
  parseEventLogs,
  type PublicClient,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  BalancesResponse,
  Collectible,
  CollectiblesResponse,
  Warning,
} from '@headwater/contract'
import { type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { checkThroughReorg } from '../../../test/checkThroughReorg.ts'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { fillPendingTokens } from '../../metadata/fillPendingTokens.ts'

let chain: DevnetChain
let client: PublicClient
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOdd, days: 2, live: false })
  // Some history is final.
  await chain.mine(50)
  client = createPublicClient({ transport: http(chain.rpcUrl, { batch: { batchSize: 50 } }) })
})
afterAll(() => chain.kill())

type History = 'node' | 'node-then-index'

function configure(rpcUrl: string, history: History) {
  const options = { rpcUrls: [rpcUrl], history, pollIntervalMs: 10, finalityDepth: 10 }
  const file = { chains: [{ ...chain.config, ...options }] }
  const [config] = parseConfig(JSON.stringify(file), 'test').chains
  return config!
}

async function requestBalances({ fetch }: TestService, wallet: string, query = '') {
  const response = await fetch(`/v1/evm/balances/${wallet}?chain_ids=${chain.chainId}&${query}`)
  expect(response.status, wallet).toBe(200)
  const block = Number(response.headers.get('x-block-numbers')?.split('=')[1])
  return { ...((await response.json()) as BalancesResponse), block }
}

/** Requests balances until the history of the wallet is known. */
async function requestComplete(service: TestService, wallet: string) {
  const known: number[] = []
  for (;;) {
    const response = await requestBalances(service, wallet)
    const partial = response.warnings?.find(({ code }) => code === 'PARTIAL_HISTORY')
    if (!partial) {
      expect(response.warnings).toBeUndefined()
      return { ...response, known }
    }
    known.push(Number(partial['known_since_block']))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Requests all pages of NFTs once the history of the wallet is known. */
async function requestCollectibles({ fetch }: TestService, wallet: string) {
  const entries: Collectible[] = []
  const blocks = new Set<number>()
  let offset = ''
  for (;;) {
    const query = `chain_ids=${chain.chainId}&limit=3&offset=${offset}`
    const response = await fetch(`/v1/evm/collectibles/${wallet}?${query}`)
    expect(response.status, wallet).toBe(200)
    const page = (await response.json()) as CollectiblesResponse
    if (page.warnings?.some(({ code }) => code === 'PARTIAL_HISTORY')) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    expect(page.warnings).toBeUndefined()
    entries.push(...page.entries)
    blocks.add(Number(response.headers.get('x-block-numbers')?.split('=')[1]))
    if (page.next_offset === undefined) {
      expect(blocks.size).toBe(1)
      return { entries, block: BigInt([...blocks][0] ?? 0) }
    }
    offset = page.next_offset
  }
}

const collectionAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)',
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address holder, uint256 id) view returns (uint256)',
])

async function readTransfers(toBlock: bigint) {
  const address = chain.collections.map((collection) => collection.address)
  return parseEventLogs({
    abi: collectionAbi,
    logs: await client.getLogs({ address, fromBlock: 0n, toBlock }),
  })
}

/** Wallets that received NFTs, some of them most. */
async function findCollectors(): Promise<string[]> {
  const recipients = (await readTransfers(await client.getBlockNumber())).map(({ args }) => args.to)
  const counts = [...Map.groupBy(recipients, (wallet) => wallet.toLowerCase())]
  return counts
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 6)
    .map(([wallet]) => wallet)
}

/** The NFTs of a wallet at a block by all logs and the contracts: contract, id, balance and time. */
async function readCollectibles(wallet: string, block: bigint): Promise<unknown[]> {
  const logs = await client.getLogs({
    address: chain.collections.map(({ address }) => address),
    fromBlock: 0n,
    toBlock: block,
  })
  const received = new Map<
    string,
    { contract: Address; id: bigint; time: bigint; is721: boolean }
  >()
  for (const { address: contract, eventName, args, blockNumber } of parseEventLogs({
    abi: collectionAbi,
    logs,
  })) {
    if (args.to.toLowerCase() === wallet) {
      const { timestamp: time } = await client.getBlock({ blockNumber })
      for (const id of 'ids' in args ? args.ids : [args.id]) {
        received.set(`${contract}/${id}`, { contract, id, time, is721: eventName === 'Transfer' })
      }
    }
  }
  const read = [...received.values()].map(async ({ contract, id, time, is721 }) => {
    const call = { address: contract, abi: collectionAbi, blockNumber: block } as const
    const amount = is721
      ? await client
          .readContract({ ...call, functionName: 'ownerOf', args: [id] })
          .then((owner) => (owner.toLowerCase() === wallet ? 1n : 0n))
          .catch(() => 0n)
      : await client.readContract({
          ...call,
          functionName: 'balanceOf',
          args: [wallet as Address, id],
        })
    const acquired = new Date(Number(time) * 1000).toISOString().replace('.000', '')
    return amount > 0n ? [[contract.toLowerCase(), String(id), String(amount), acquired]] : []
  })
  return (await Promise.all(read)).flat().sort()
}

const describeCollectibles = (entries: readonly Collectible[]) =>
  entries
    .map(({ contract_address, token_id, balance, last_acquired }) => [
      ...[contract_address, token_id, balance, last_acquired],
    ])
    .sort()

/** All contracts with balances. */
const contracts = () => [
  ...new Set(
    [
      ...[...chain.tokens, ...chain.pools],
      ...chain.oddTokens.filter(({ kind }) => kind !== 'silent-mint'),
    ].map(({ address }) => address.toLowerCase()),
  ),
]

/** What the contracts and the node return at a block, without zeros, and without tokens that no event shows. */
async function readTruth(wallet: string, block: number): Promise<Record<string, string>> {
  const args = [wallet as `0x${string}`] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const at = numberToHex(block)
  const amounts = await Promise.all([
    chain.rpc.call<string>('eth_getBalance', wallet, at),
    ...contracts().map((to) =>
      chain.rpc.call<string>('eth_call', { to, data }, at).catch(() => '0x'),
    ),
  ])
  const entries = ['native', ...contracts()].map((asset, index) => {
    const word = amounts[index] ?? '0x'
    return [asset, word === '0x' ? '0' : String(BigInt(word.slice(0, 66)))] as const
  })
  return Object.fromEntries(entries.filter(([, amount]) => amount !== '0'))
}

function amountsOf({ balances }: BalancesResponse): Record<string, string> {
  const known = new Set(['native', ...contracts()])
  const listed = balances.filter(({ address }) => known.has(address))
  return Object.fromEntries(listed.map(({ address, amount }) => [address, amount]))
}

const wallets = () => chain.accounts.slice(0, 8).map(({ address }) => address.toLowerCase())

describe('a chain that is not indexed', () => {
  const getFixture = shareFixture(async () => {
    const node = await startHostedNode(chain.rpcUrl, { maxRange: 2_000, stateBlocks: 128 })
    const store = await openSharedStore('pglite')
    const service = await startTestService(store, [configure(node.url, 'node')])
    return { node, store, service }
  })

  it('has the balances of its node at the head, also after a reorg', async () => {
    const { service } = getFixture()
    const check = async () => {
      for (const wallet of wallets()) {
        const response = await requestComplete(service, wallet)
        expect(amountsOf(response)).toEqual(await readTruth(wallet, response.block))
      }
    }
    await checkThroughReorg(chain, check)
  })

  it('has the NFTs of its node at the head, also after a reorg', async () => {
    const { service } = getFixture()
    let count = 0
    const check = async () => {
      for (const wallet of await findCollectors()) {
        const { entries, block } = await requestCollectibles(service, wallet)
        expect(describeCollectibles(entries)).toEqual(await readCollectibles(wallet, block))
        count += entries.length
      }
    }
    await checkThroughReorg(chain, check)
    expect(count).toBeGreaterThan(50)
  })

  it('reads the documents of NFTs', async () => {
    const { service } = getFixture()
    const [collector = ''] = await findCollectors()
    const findImage = async () => {
      const { entries } = await requestCollectibles(service, collector)
      const found = entries.find(({ name, image_url }) => name !== undefined && image_url)
      return found?.image_url?.replace(/^https?:\/\/[^/]+/, '')
    }
    await expect.poll(findImage).toBeDefined()
    const image = await service.fetch((await findImage()) ?? '')
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  })

  it('names tokens and answers for a single one', async () => {
    const { service } = getFixture()
    const [wallet = ''] = wallets()
    const { balances } = await requestComplete(service, wallet)
    for (const { address, amount, symbol, decimals } of balances) {
      const path = `/v1/evm/balances/${wallet}/token/${address}?chain_ids=${chain.chainId}`
      const single = (await (await service.fetch(path)).json()) as BalancesResponse
      expect(single.balances).toMatchObject([{ address, amount }])
      const token = chain.tokens.find((each) => each.address.toLowerCase() === address)
      if (token) {
        expect({ symbol, decimals }).toEqual({ symbol: token.symbol, decimals: token.decimals })
      }
    }
    for (const address of [wallet, chain.collection('BUOY').address, chain.router]) {
      const path = `/v1/evm/token-info/${address}?chain_ids=${chain.chainId}`
      expect((await service.fetch(path)).status).toBe(404)
    }
  })

  it('is unavailable while no node responds', async () => {
    const { node, service } = getFixture()
    node.isDown = true
    try {
      const [wallet] = wallets()
      const response = await service.fetch(`/v1/evm/balances/${wallet}?chain_ids=${chain.chainId}`)
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { code: 'NODES_UNAVAILABLE' },
      ])
    } finally {
      node.isDown = false
    }
  })
})

/** A transfer to a wallet, of a token that it and the sender hold. */
async function findTransfer(
  to: string,
  { balances, block }: Awaited<ReturnType<typeof requestBalances>>,
) {
  const held = new Set(balances.map(({ address }) => address))
  const tokens = chain.tokens
    .map(({ address }) => address)
    .filter((each) => held.has(each.toLowerCase()))
  for (const { address: from } of chain.accounts.filter(
    ({ address }) => address.toLowerCase() !== to,
  )) {
    const amounts = await readTruth(from.toLowerCase(), block)
    const token = tokens.find((each) => amounts[each.toLowerCase()])
    if (token) {
      return { token, from, to: to as Address, amount: 1n }
    }
  }
  throw new Error('No account holds a token of the wallet')
}

it('answers from the node first, completes in the background once, and in few requests per head', async () => {
  const node = await startHostedNode(chain.rpcUrl, {
    maxRange: 2,
    maxResults: 200,
    stateBlocks: 128,
    latencyMs: 100,
  })
  const store = await openSharedStore('pglite')
  const config = configure(node.url, 'node')
  const first = await startTestService(store, [config])
  const [, wallet = ''] = wallets()
  const { warnings = [], ...partial } = await requestBalances(first, wallet)
  node.limits.latencyMs = 0
  const truth = await readTruth(wallet, partial.block)
  expect(truth).toMatchObject(amountsOf(partial))
  const [warning] = warnings as [Warning]
  expect(warning).toMatchObject({ code: 'PARTIAL_HISTORY', chain_id: chain.chainId })
  expect(warning.share).toBeGreaterThan(0)
  expect(warning.share).toBeLessThan(1)
  const { known, ...complete } = await requestComplete(first, wallet)
  expect(known).toEqual(known.toSorted((a, b) => b - a))
  expect(amountsOf(complete)).toEqual(await readTruth(wallet, complete.block))
  await first.close()

  node.limits.maxRange = 2_000
  const second = await startTestService(store, [config])
  const again = await requestBalances(second, wallet)
  expect(again.warnings).toBeUndefined()
  await chain.mineTraffic()
  await requestBalances(second, wallet)
  node.methods.length = 0
  await chain.mine(1)
  const next = await requestBalances(second, wallet)
  expect(amountsOf(next)).toEqual(await readTruth(wallet, next.block))
  // The head, which has no logs of the wallet, and all amounts with the states of all pools.
  expect(node.methods).toEqual(['eth_getBlockByNumber', 'eth_call'])

  // A transfer to the wallet is found by one request more.
  const transfer = await findTransfer(wallet, next)
  node.methods.length = 0
  await chain.transfer(transfer)
  const received = await requestBalances(second, wallet)
  expect(amountsOf(received)).toEqual(await readTruth(wallet, received.block))
  expect(node.methods.toSorted()).toEqual(['eth_call', 'eth_getBlockByNumber', 'eth_getLogs'])

  // So is one in blocks that the client skipped: the call shows that the node has the last block.
  node.methods.length = 0
  await chain.transfer(await findTransfer(wallet, received))
  await chain.mine(2)
  const skipped = await requestBalances(second, wallet)
  expect(amountsOf(skipped)).toEqual(await readTruth(wallet, skipped.block))
  expect(node.methods.toSorted()).toEqual(['eth_call', 'eth_getBlockByNumber', 'eth_getLogs'])
})

it('hands over to the index without a change of values', async () => {
  const store = await openSharedStore('pglite')
  const config = configure(chain.rpcUrl, 'node-then-index')
  const service = await startTestService(store, [config])
  const read = async () =>
    await Promise.all(wallets().map((wallet) => requestComplete(service, wallet)))
  const collectors = await findCollectors()
  const readNfts = async () =>
    await Promise.all(collectors.map((wallet) => requestCollectibles(service, wallet)))
  const before = await read()
  const nftsBefore = await readNfts()
  const indexer = indexTestChain(store, config)
  await indexer.reaches((await indexer.node.getHead()).hash)
  while ((await fillPendingTokens(store.db, indexer.node, config.id)) > 0) {
    // Repeats until no token is pending.
  }
  const honest = new Set(
    [...chain.tokens, ...chain.pools].map(({ address }) => address.toLowerCase()),
  )
  const after = await read()
  // Sales are those of the index, and no document is read here.
  const omitExtras = ({ entries }: { readonly entries: readonly Collectible[] }) =>
    entries.map(({ last_sale_price, name, description, image_url, metadata, ...entry }) => entry)
  expect((await readNfts()).map(omitExtras)).toEqual(nftsBefore.map(omitExtras))
  for (const [index, { block, ...response }] of before.entries()) {
    const pick = ({ balances }: BalancesResponse) =>
      Object.fromEntries(
        balances
          .filter(({ address }) => honest.has(address))
          .map(({ address, amount, symbol, price_usd }) => {
            return [address, { amount, symbol, price: price_usd?.toPrecision(12) }]
          }),
      )
    expect(after[index]?.block).toBe(block)
    expect(pick(response)).toEqual(pick(after[index]!))
  }
  await indexer.stop()
})

it('remains with the nodes until the index has what clients have seen, and then deletes what was found', async () => {
  const store = await openSharedStore('pglite')
  const config = configure(chain.rpcUrl, 'node-then-index')
  const first = indexTestChain(store, config)
  await first.reaches((await first.node.getHead()).hash)
  const fill = async () => {
    while ((await fillPendingTokens(store.db, first.node, config.id)) > 0) {
      // Repeats until no token is pending.
    }
  }
  await fill()
  await first.stop()
  const setSynced = async (value: Date | null) => {
    await store.db.updateTable('chains').set({ synced_at: value }).execute()
  }
  await setSynced(null)
  await chain.mineTraffic()
  await chain.mineTraffic()
  const service = await startTestService(store, [config])
  const [wallet = ''] = wallets()
  const seen = await requestComplete(service, wallet)
  const count = async () =>
    (await store.db.selectFrom('wallet_ranges').select('wallet').execute()).length
  await expect.poll(count).toBe(1)

  // Its first indexing has stopped.
  const row = { chain_id: chain.chainId, stopped_reason: 'The node returned another block 7' }
  await store.db.insertInto('indexers').values(row).execute()
  const stopped = await requestBalances(service, wallet)
  expect([stopped.block, amountsOf(stopped)]).toEqual([seen.block, amountsOf(seen)])
  await expect
    .poll(async () => await (await service.fetch('/ready')).json())
    .toMatchObject({ chains: [{ available: true, source: 'node', stopped: true }] })
  await store.db.deleteFrom('indexers').execute()

  // The index is complete, but up to an older block.
  await setSynced(new Date())
  const behind = await requestBalances(service, wallet)
  expect([behind.block, amountsOf(behind)]).toEqual([seen.block, amountsOf(seen)])
  await setSynced(null)

  // It has the block, but not the names of all tokens.
  const second = indexTestChain(store, config)
  await second.reaches((await second.node.getHead()).hash)
  expect(await count()).toBe(0)
  const [token] = seen.balances.filter(({ symbol, address }) => symbol && address !== 'native')
  const address = Buffer.from(token?.address.slice(2) ?? '', 'hex')
  const withoutNames = { metadata: 'pending', symbol: null, decimals: null } as const
  await store.db.updateTable('tokens').set(withoutNames).where('address', '=', address).execute()
  const describeTokens = ({ balances }: BalancesResponse) =>
    balances.map(({ address, symbol, decimals, amount }) => [address, symbol, decimals, amount])
  const pending = await requestBalances(service, wallet)
  expect(describeTokens(pending)).toEqual(describeTokens(seen))
  await fill()
  const indexed = await requestBalances(service, wallet, 'metadata=pools')
  expect(indexed.block).toBe(seen.block)
  expect(describeTokens(indexed)).toEqual(describeTokens(seen))
  await second.stop()
})
