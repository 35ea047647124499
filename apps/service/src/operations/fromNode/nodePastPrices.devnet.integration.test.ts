import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HistoricalPrice, TokenInfoResponse } from '@headwater/contract'
import { type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { fillPendingTokens } from '../../metadata/fillPendingTokens.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { secondsPerHour } from '../../time.ts'
import { NodePastPrices } from './NodePastPrices.ts'
import { NodePrices } from './NodePrices.ts'
import { PriceRecorder } from './PriceRecorder.ts'
import { TokenReader } from './TokenReader.ts'

let chain: DevnetChain
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOdd, days: 3, live: false })
})
afterAll(() => chain.kill())

function configure(rpcUrl: string) {
  const options = { rpcUrls: [rpcUrl], pollIntervalMs: 10, finalityDepth: 2 }
  // With guards from both sources.
  const file = { chains: [{ ...chain.config, ...options, priceWindowMinutes: 60 }] }
  const [config] = parseConfig(JSON.stringify(file), 'test').chains
  return config!
}

const hours = [3, 12, 50] as const

async function requestPrices({ fetch }: TestService, token: string) {
  const query = `chain_ids=${chain.chainId}&historical_prices=${hours.join(',')}&metadata=pools`
  const response = await fetch(`/v1/evm/token-info/${token}?${query}`)
  expect([response.status, token]).toEqual([200, token])
  const [info] = ((await response.json()) as TokenInfoResponse).tokens
  const format = (price: number | null | undefined) => price?.toPrecision(12) ?? null
  const past = info?.historical_prices as readonly HistoricalPrice[]
  // The index has the hour of all pools, the node that of some.
  const isBounded = info?.token_metadata?.pools?.some((pool) => pool.is_bounded) ?? false
  return {
    prices: [info?.price_usd, ...past.map(({ price_usd }) => price_usd)].map(format),
    isBounded,
  }
}

const tokens = () => ['native', ...chain.tokens.map(({ address }) => address.toLowerCase())]

it('equal those of the index where the node has past states', async () => {
  const store = await openSharedStore('pglite')
  const config = configure(chain.rpcUrl)
  const service = await startTestService(store, [config])
  const read = async () => await Promise.all(tokens().map((token) => requestPrices(service, token)))
  const fromNode = await read()
  const indexer = indexTestChain(store, config)
  await indexer.reaches((await indexer.node.getHead()).hash)
  while ((await fillPendingTokens(store.db, indexer.node, config.id)) > 0) {
    // Repeats until no token is pending.
  }
  const fromIndex = await read()
  for (const [index, { prices, isBounded }] of fromIndex.entries()) {
    const [now, ...past] = fromNode[index]?.prices ?? []
    expect(prices.slice(1)).toEqual(past)
    if (isBounded) {
      expect(Math.abs(Number(prices[0]) / Number(now) - 1)).toBeLessThan(0.03)
    } else {
      expect(prices[0]).toEqual(now)
    }
  }
  expect(fromIndex.filter(({ isBounded }) => !isBounded).length).toBeGreaterThan(3)
  const isPast = fromNode.map(({ prices: [, ...past] }) => past.every((price) => price !== null))
  expect(isPast.filter(Boolean).length).toBeGreaterThan(3)
  // Prices differ over time.
  expect(new Set(fromNode[0]?.prices).size).toBeGreaterThan(2)
  await indexer.stop()
})

it('are what was recorded where the node has no past states, and unknown before', async () => {
  const hosted = await startHostedNode(chain.rpcUrl, { stateBlocks: 2 })
  const store = await openSharedStore('pglite')
  const config = configure(hosted.url)
  const node = new ChainNode([hosted.url], { retryDelayMs: 0 })
  const logger = pino({ level: 'silent' })
  const options = { chain: config, node, db: store.db, logger }
  const reader = new TokenReader(node)
  const prices = new NodePrices(config, node, reader)
  const past = new NodePastPrices(options, reader, prices.pools)
  const findHead = async () => ({ ...(await node.getHead()), metadataVersion: 0 })
  const recorder = new PriceRecorder(options, prices, past, findHead)
  const { address, ...metadata } = chain.token('KELP')
  const token = { chain: config, ...metadata, address: address.toLowerCase() }
  recorder.watch([token])
  await recorder.record()
  const recorded = await findHead()
  const before = (await prices.load([token], recorded))?.now.get(token.address)?.price
  expect(before).toBeDefined()

  for (const seconds of [secondsPerHour / 2, secondsPerHour, 2 * secondsPerHour]) {
    await chain.rpc.call('evm_setNextBlockTimestamp', recorded.time + seconds)
    await chain.rpc.call('evm_mine')
  }
  const head = await findHead()
  expect(head.time).toBe(recorded.time + 2 * secondsPerHour)
  const [inRange, tooEarly] = await past.load([token], head, [2, 3])
  expect(inRange?.prices.get(token.address)?.price).toEqual(before)
  expect(tooEarly).toEqual({ prices: new Map(), isRecorded: true })
  const service = await startTestService(store, [config])
  const request = async (hours: number, of = token.address) => {
    const query = `chain_ids=${chain.chainId}&historical_prices=${hours}`
    const response = await service.fetch(`/v1/evm/token-info/${of}?${query}`)
    return (await response.json()) as TokenInfoResponse
  }
  expect((await request(2)).warnings).toBeUndefined()
  expect(await request(3)).toMatchObject({
    tokens: [{ historical_prices: [{ offset_hours: 3, price_usd: null }] }],
    warnings: [{ code: 'PRICES_NOT_READ', chain_id: chain.chainId }],
  })
  const odd = chain.oddTokens.find(({ kind }) => kind === 'bytes32')
  const unpriced = await request(3, odd?.address)
  expect(unpriced.tokens).toMatchObject([{ symbol: odd?.symbol }])
  expect(unpriced.tokens[0]).not.toHaveProperty('price_usd')
  expect(unpriced.warnings).toBeUndefined()
  // The depth without state is known, so that no call is sent.
  hosted.methods.length = 0
  await past.load([token], head, [2])
  expect(hosted.methods).not.toContain('eth_call')
  await recorder.close()
})
