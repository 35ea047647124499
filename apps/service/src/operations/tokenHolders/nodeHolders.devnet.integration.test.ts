import { setTimeout as delay } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Holder, TokenHoldersResponse } from '@headwater/contract'
import { type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { checkThroughReorg } from '../../../test/checkThroughReorg.ts'
import { describeEachStore, openSharedStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import type { HistorySource } from '../../config/Config.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { fillPendingTokens } from '../../metadata/fillPendingTokens.ts'
import type { Store } from '../../store/Store.ts'

let chain: DevnetChain
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOdd, days: 2, live: false })
  // Some history is final.
  await chain.mine(50)
})
afterAll(() => chain.kill())

function configure(rpcUrl: string, history: HistorySource) {
  const options = { rpcUrls: [rpcUrl], history, pollIntervalMs: 10, finalityDepth: 10 }
  const file = { chains: [{ ...chain.config, ...options }] }
  const [config] = parseConfig(JSON.stringify(file), 'test').chains
  return config!
}

async function requestPage({ fetch }: TestService, token: string, query = '') {
  return await fetch(`/v1/evm/token-holders/${chain.chainId}/${token}?${query}`)
}

/** Requests all pages, at one block, once the holders are known. */
async function requestHolders(service: TestService, token: string, limit = 500) {
  const holders: Holder[] = []
  const blocks = new Set<number>()
  let offset = ''
  for (;;) {
    const response = await requestPage(service, token, `limit=${limit}${offset}`)
    const body = (await response.json()) as TokenHoldersResponse & { code?: string }
    if (response.status === 503) {
      expect(body.code).toBe('HOLDERS_NOT_READ')
      await delay(20)
      continue
    }
    expect([response.status, token]).toEqual([200, token])
    blocks.add(Number(response.headers.get('x-block-numbers')?.split('=')[1]))
    holders.push(...body.holders)
    if (!body.next_offset) {
      return { holders, blocks: [...blocks] }
    }
    offset = `&offset=${body.next_offset}`
  }
}

/** Requests all holders until their history is known. */
async function requestComplete(service: TestService, token: string, limit?: number) {
  for (;;) {
    const found = await requestHolders(service, token, limit)
    if (found.holders.every((each) => each.has_initiated_transfer !== undefined)) {
      return found
    }
    await delay(20)
  }
}

/** What the contract returns for accounts at a block. */
async function readBalances(token: string, holders: readonly string[], block: number) {
  const calls = holders.map((holder) => {
    const args = [holder as `0x${string}`] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
    return chain.rpc.call<string>('eth_call', { to: token, data }, numberToHex(block))
  })
  return (await Promise.all(calls)).map((word) => String(BigInt(word.slice(0, 66))))
}

const lower = ({ address }: { readonly address: string }) => address.toLowerCase()
const odd = (kind: string) => lower(chain.oddTokens.find((each) => each.kind === kind)!)

describe('a chain that is not indexed', () => {
  const getFixture = shareFixture(async () => {
    const node = await startHostedNode(chain.rpcUrl, { maxRange: 20, stateBlocks: 128 })
    const store = await openSharedStore('pglite')
    const service = await startTestService(store, [configure(node.url, 'node')])
    return { node, store, service }
  })

  it('has the amounts of its contracts at the head, also after a reorg', async () => {
    const { service } = getFixture()
    const tokens = [
      ...chain.tokens.map(lower),
      ...['fee-on-transfer', 'rebasing', 'silent-mint', 'bytes32', 'plain'].map(odd),
      lower(chain.collection('BUOY')),
    ]
    const check = async () => {
      for (const token of tokens) {
        const { holders, blocks } = await requestHolders(service, token)
        const [block = 0] = blocks
        const addresses = holders.map(({ wallet_address }) => wallet_address)
        expect(addresses.length, token).toBeGreaterThan(0)
        const truth = await readBalances(token, addresses, block)
        expect(holders.map(({ balance }) => balance)).toEqual(truth)
        expect(holders.map(({ balance }) => BigInt(balance))).toEqual(
          truth.map(BigInt).toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
        )
      }
    }
    await checkThroughReorg(chain, check)
  })

  it('has the history of the latest blocks, also where amounts are read from the contract', async () => {
    const { service } = getFixture()
    const token = odd('fee-on-transfer')
    const { holders } = await requestHolders(service, token)
    const isHolder = (account: string) =>
      holders.some(({ wallet_address }) => wallet_address === account)
    const from = chain.accounts.find((account) => isHolder(lower(account)))!.address
    const to = chain.accounts.find((account) => !isHolder(lower(account)))!.address
    const transfer = (sender: Address, recipient: Address, amount: bigint) => {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [recipient, amount],
      })
      return { from: sender, to: token as Address, data, value: 0n, gas: 200_000 }
    }
    await chain.transact([transfer(from, to, 1_000n)])
    await chain.transact([transfer(to, from, 100n)])
    const head = Number(await chain.rpc.call('eth_blockNumber'))
    const block = numberToHex(head - 1)
    const { timestamp } = await chain.rpc.call<{ timestamp: string }>(
      'eth_getBlockByNumber',
      block,
      false,
    )
    const findRecipient = async () =>
      (await requestComplete(service, token)).holders.find(
        ({ wallet_address }) => wallet_address === to.toLowerCase(),
      )
    await expect.poll(findRecipient).toEqual({
      wallet_address: to.toLowerCase(),
      balance: '880',
      first_acquired: new Date(1000 * Number(timestamp)).toISOString().replace('.000Z', '+00:00'),
      has_initiated_transfer: true,
    })
  })

  it('rejects contracts without holders', async () => {
    const { service } = getFixture()
    const [account] = chain.accounts
    for (const address of [account!.address, chain.router, chain.collection('CRATE').address]) {
      const response = await requestPage(service, address)
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { code: 'TOKEN_NOT_FOUND', param: 'address' },
      ])
    }
  })
})

const readScans = async (db: Store['db']) =>
  await db.selectFrom('holder_scans').selectAll().execute()

it('hands over to the index without a change', async () => {
  const store = await openSharedStore('pglite')
  const config = configure(chain.rpcUrl, 'node-then-index')
  const service = await startTestService(store, [config])
  const tokens = [...chain.tokens.map(lower), lower(chain.collection('BUOY'))]
  const read = async () =>
    await Promise.all(tokens.map((token) => requestComplete(service, token, 7)))
  const before = await read()
  expect(before.flatMap(({ holders }) => holders).length).toBeGreaterThan(50)
  // It waits longer for the index, which has one block less than its responses.
  const other = await startTestService(store, [config])
  await chain.mine(1)
  await requestHolders(other, tokens[0]!)
  await chain.rollBack(1)
  const indexer = indexTestChain(store, config)
  await indexer.reaches((await indexer.node.getHead()).hash)
  while ((await fillPendingTokens(store.db, indexer.node, config.id)) > 0) {
    // Repeats until no token is pending.
  }
  expect(await read()).toEqual(before)
  await expect.poll(() => readScans(store.db)).toEqual([])
  const response = await requestPage(other, tokens[0]!, 'limit=7')
  const body = (await response.json()) as TokenHoldersResponse
  expect([response.status, body.holders]).toEqual([200, before[0]!.holders.slice(0, 7)])
  await indexer.stop()
})

describeEachStore('searches of holders', (openTestStore) => {
  it('reports the progress of a search, which continues after a restart', async () => {
    const node = await startHostedNode(chain.rpcUrl, { maxRange: 1, latencyMs: 200 })
    const store = await openTestStore()
    const config = configure(node.url, 'node')
    const first = await startTestService(store, [config])
    const token = lower(chain.tokens[0]!)
    const response = await requestPage(first, token)
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'HOLDERS_NOT_READ' },
    ])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const { chains } = (await (await first.fetch('/ready')).json()) as {
      chains: { holder_scans: { share: number }[] }[]
    }
    const [scan] = chains[0]!.holder_scans
    expect(scan).toMatchObject({ token, scanned_block: expect.any(Number) as number })
    expect(scan!.share).toBeLessThan(1)
    const readScanned = async () => (await readScans(store.db))[0]!.scanned_block
    await expect.poll(readScanned).toBeGreaterThan(0)
    await first.close()

    const scanned = await readScanned()
    node.limits.latencyMs = 0
    node.logRanges.length = 0
    const second = await startTestService(store, [config])
    const { holders } = await requestHolders(second, token)
    expect(holders.length).toBeGreaterThan(0)
    expect(Math.min(...node.logRanges.map(({ from }) => from))).toBe(scanned + 1)
  })
})
