import fc from 'fast-check'
import {
  type Abi,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { poolTopics } from '../../../test/poolTopics.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import { decodeLog } from './decodeLog.ts'
import { createScope } from './Scope.ts'
import { allTopics, topics } from './topics.ts'
import { zeroAddress } from './words.ts'

const weth = `0x${'ee'.repeat(20)}`
const factory = `0x${'ff'.repeat(20)}`
const token = `0x${'aa'.repeat(20)}`
const [alice, bob, carol] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const marketplace = `0x${'dd'.repeat(20)}`
const chain = testChainConfig(1, {
  wrappedNative: weth,
  uniswapV2Factories: [factory],
  uniswapV3Factories: [factory],
  marketplaces: [marketplace],
})
const scope = createScope(chain)
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')
const topic = (hex: string) => `0x${word(hex)}`

const abi = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'struct SpentItem { uint8 itemType; address token; uint256 identifier; uint256 amount; }',
  'struct ReceivedItem { uint8 itemType; address token; uint256 identifier; uint256 amount; address recipient; }',
  'event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer, ReceivedItem[] consideration)',
])

/** Encodes an event with viem. */
function encode(eventName: (typeof abi)[number]['name'], args: Record<string, unknown>) {
  const event = (abi as Abi).find((item) => item.type === 'event' && item.name === eventName)
  if (event?.type !== 'event') {
    throw new Error(`Unknown event ${eventName}`)
  }
  const unindexed = event.inputs.filter(({ indexed }) => !indexed)
  return {
    topics: encodeEventTopics({ abi: abi as Abi, eventName, args }) as Hex[],
    data: encodeAbiParameters(
      unindexed,
      unindexed.map(({ name }) => args[name ?? '']),
    ),
  }
}

function decodeEvent(address: string, event: { topics: readonly string[]; data: string }) {
  return decode(address, event.topics, event.data)
}

function decode(address: string, logTopics: readonly string[], data: string, inScope = scope) {
  const position = { blockNumber: 1, blockHash: topic('0x1'), logIndex: 0, transactionFrom: alice }
  return decodeLog({ ...position, address, topics: logTopics, data }, inScope)
}

describe('decodeLog', () => {
  it('decodes a transfer of any amount', () => {
    const amount = 2n ** 256n - 1n
    expect(
      decode(token, [topics.transfer, topic(alice), topic(bob)], topic(amount.toString(16))),
    ).toEqual({ kind: 'transfer', token, from: alice, to: bob, amount })
  })

  it('decodes ERC20Transfer of ERC404 with two indexed addresses only', () => {
    const parties = [topics.erc20Transfer, topic(alice), topic(bob)]
    const transfer = { kind: 'transfer', token, from: alice, to: bob, amount: 5n }
    expect(decode(token, parties, topic('0x5'))).toEqual(transfer)
    expect(decode(token, [...parties, topic('0x5')], '0x')).toBeUndefined()
    expect(decode(token, [topics.erc20Transfer], `0x${word(alice).repeat(3)}`)).toBeUndefined()
  })

  it('decodes deposits and withdrawals of the wrapped native asset only', () => {
    const transfer = { kind: 'transfer', token: weth, amount: 5n }
    const deposit = [topics.deposit, topic(alice)]
    const withdrawal = [topics.withdrawal, topic(alice)]
    expect(decode(weth, deposit, topic('0x5'))).toEqual({
      ...transfer,
      from: zeroAddress,
      to: alice,
    })
    expect(decode(weth, withdrawal, topic('0x5'))).toEqual({
      ...transfer,
      from: alice,
      to: zeroAddress,
    })
    for (const logTopics of [deposit, withdrawal]) {
      const other = { kind: 'deposit', token, account: alice }
      expect(decode(token, logTopics, topic('0x5'))).toEqual(other)
    }
  })

  it('ignores deposits where the wrapped native asset emits a Transfer as well', () => {
    const emitsBoth = createScope({ ...chain, wrappedNativeEmitsTransfers: true })
    for (const name of [topics.deposit, topics.withdrawal]) {
      expect(decode(weth, [name, topic(alice)], topic('0x5'), emitsBoth)).toBeUndefined()
    }
    const transfer = [topics.transfer, topic(zeroAddress), topic(alice)]
    expect(decode(weth, transfer, topic('0x5'), emitsBoth)).toMatchObject({ to: alice, amount: 5n })
  })

  it('decodes pairs of configured factories only', () => {
    const pair = [poolTopics.pairCreated, topic(alice), topic(bob)]
    const data = topic(carol) + word('0x1')
    expect(decode(factory, pair, data)).toEqual({
      kind: 'pool',
      type: 'uniswap-v2',
      address: carol,
      factory,
      tokens: [alice, bob],
      fee: null,
      tickSpacing: null,
    })
    expect(decode(token, pair, data)).toBeUndefined()
  })

  it('decodes reserves', () => {
    const data = topic('0x7') + word('0x8')
    const reserves = { kind: 'reserves', pool: token, reserve0: 7n, reserve1: 8n }
    expect(decode(token, [poolTopics.sync], data)).toEqual(reserves)
  })

  it('decodes an ERC721 transfer by its fourth topic', () => {
    const id = topic('f'.repeat(64))
    expect(decode(token, [topics.transfer, topic(alice), topic(bob), id], '0x')).toEqual({
      kind: 'collectible-transfer',
      standard: 721,
      contract: token,
      from: alice,
      to: bob,
      items: [{ tokenId: id, amount: 1n }],
    })
  })

  it('decodes what ABI decoders accept: longer data, unclean addresses, no indexed fields', () => {
    const transfer = { kind: 'transfer', token, from: alice, to: bob, amount: 5n }
    const parties = [topics.transfer, topic(alice), topic(bob)]
    const unclean = [topics.transfer, `0x${'f'.repeat(24)}${alice.slice(2)}`, topic(bob)]
    expect(decode(token, parties, `${topic('0x5')}00`)).toEqual(transfer)
    expect(decode(token, unclean, topic('0x5'))).toEqual(transfer)
    const unindexed = topic(alice) + word(bob) + word('0x5')
    expect(decode(token, [topics.transfer], unindexed)).toEqual(transfer)
    const decoded = decodeEventLog({
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
      topics: unclean as [Hex, ...Hex[]],
      data: `${topic('0x5')}00` as Hex,
    })
    expect(decoded.args.from.toLowerCase()).toBe(alice)
    expect(decode(token, [...parties, topic('0x7')], topic('0x5'))).toMatchObject({
      items: [{ tokenId: topic('0x7'), amount: 1n }],
    })
  })

  it('decodes consecutive transfers of any range', () => {
    const logTopics = [topics.consecutiveTransfer, topic('0x5'), topic(zeroAddress), topic(bob)]
    expect(decode(token, logTopics, `0x${'f'.repeat(64)}`)).toEqual({
      kind: 'consecutive-transfer',
      contract: token,
      from: zeroAddress,
      to: bob,
      firstId: 5n,
      lastId: 2n ** 256n - 1n,
    })
  })

  describe('of ERC1155', () => {
    const parties = { operator: carol, from: alice, to: bob }
    const transfer = {
      kind: 'collectible-transfer',
      standard: 1155,
      contract: token,
      from: alice,
      to: bob,
    }

    it('decodes a single transfer', () => {
      const event = encode('TransferSingle', { ...parties, id: 7n, value: 2n ** 256n - 1n })
      const items = [{ tokenId: topic('0x7'), amount: 2n ** 256n - 1n }]
      expect(decodeEvent(token, event)).toEqual({ ...transfer, items })
    })

    it('decodes a batch, also with repeated ids', () => {
      const event = encode('TransferBatch', {
        ...parties,
        ids: [7n, 8n, 7n],
        values: [1n, 2n, 3n],
      })
      const items = [
        { tokenId: topic('0x7'), amount: 1n },
        { tokenId: topic('0x8'), amount: 2n },
        { tokenId: topic('0x7'), amount: 3n },
      ]
      expect(decodeEvent(token, event)).toEqual({ ...transfer, items })
      const empty = encode('TransferBatch', { ...parties, ids: [], values: [] })
      expect(decodeEvent(token, empty)).toEqual({ ...transfer, items: [] })
    })

    const head = ['40', '80']
    it.each<[string, readonly string[]]>([
      ['without data', []],
      ['with half a head', ['40']],
      ['with arrays of different lengths', [...head, '1', '7', '2', '1', '2']],
      ['with a length that exceeds the data', [...head, '2', '7', '2', '1']],
      ['with 2^256 - 1 elements', [...head, 'f'.repeat(64), '7', '1', '1']],
      ['with 2^47 elements', [...head, '800000000000', '7', '800000000000', '1']],
      ['with an offset that exceeds the data', ['40', 'ffffffffffff', '1', '7', '1', '1']],
      // Overlap would allow many transfers in few bytes.
      ['with identical arrays', ['40', '40', '2', '7', '8']],
      ['with overlapping arrays', ['40', '60', '1', '1', '5']],
      ['with overlapping arrays, the second first', ['60', '40', '1', '1', '5']],
    ])('ignores a batch %s', (_, words) => {
      const logTopics = [topics.transferBatch, topic(carol), topic(alice), topic(bob)]
      expect(decode(token, logTopics, `0x${words.map(word).join('')}`)).toBeUndefined()
    })
  })

  describe('of Uniswap V3', () => {
    it('decodes pools of configured factories only', () => {
      const pool = { token0: alice, token1: bob, fee: 3000, tickSpacing: 60, pool: carol }
      const event = encode('PoolCreated', pool)
      expect(decodeEvent(factory, event)).toEqual({
        kind: 'pool',
        type: 'uniswap-v3',
        address: carol,
        factory,
        tokens: [alice, bob],
        fee: 3000,
        tickSpacing: 60,
      })
      expect(decodeEvent(token, event)).toBeUndefined()
    })

    const price = { sqrtPriceX96: 2n ** 96n, tick: 0 }
    const swap = {
      ...price,
      sender: alice,
      recipient: bob,
      amount0: -5n,
      amount1: 5n,
      liquidity: 9n,
    }

    it('decodes the price of the initialization and of swaps', () => {
      const expected = { kind: 'price', pool: token, sqrtPrice: 2n ** 96n }
      expect(decodeEvent(token, encode('Initialize', price))).toEqual(expected)
      const event = encode('Swap', swap)
      expect(decodeEvent(token, event)).toEqual(expected)
      // PancakeSwap's fork has two fees more.
      const [, ...parties] = event.topics
      const withFees = event.data + word('0x1') + word('0x2')
      expect(decode(token, [poolTopics.swapWithFees, ...parties], withFees)).toEqual(expected)
    })

    it('ignores a price that is out of bounds', () => {
      for (const sqrtPriceX96 of [0n, 4_295_128_738n, 2n ** 160n - 1n]) {
        expect(decodeEvent(token, encode('Swap', { ...swap, sqrtPriceX96 }))).toBeUndefined()
      }
    })

    it('decodes deposits and withdrawals of liquidity', () => {
      const range = { owner: alice, tickLower: -887_220, tickUpper: 60, amount: 5n }
      const amounts = { amount0: 1n, amount1: 2n }
      const expected = { kind: 'liquidity', pool: token, tickLower: -887_220, tickUpper: 60 }
      const mint = encode('Mint', { ...range, ...amounts, sender: bob })
      expect(decodeEvent(token, mint)).toEqual({ ...expected, change: 5n })
      const burn = encode('Burn', { ...range, ...amounts })
      expect(decodeEvent(token, burn)).toEqual({ ...expected, change: -5n })
      for (const [tickLower, tickUpper] of [
        [60, 60],
        [-887_273, 0],
        [0, 887_273],
      ]) {
        const invalid = encode('Burn', { ...range, ...amounts, tickLower, tickUpper })
        expect(decodeEvent(token, invalid)).toBeUndefined()
      }
    })
  })

  describe('of a marketplace', () => {
    const nft = { itemType: 2, token, identifier: 7n, amount: 1n }
    const item = { ...nft, itemType: 3 }
    const native = (amount: bigint) => ({ itemType: 0, token: zeroAddress, identifier: 0n, amount })
    const wrapped = (amount: bigint) => ({ ...native(amount), itemType: 1, token: weth })
    const other = { ...wrapped(5n), token }
    type Item = typeof nft
    const order = (offer: Item[], consideration: Item[]) =>
      encode('OrderFulfilled', {
        orderHash: topic('0x1'),
        offerer: alice,
        zone: zeroAddress,
        recipient: bob,
        offer,
        consideration: consideration.map((entry) => ({ ...entry, recipient: carol })),
      })
    const sale = { kind: 'sale', marketplace, contract: token, tokenId: topic('0x7') }

    it.each<[string, Item[], Item[], bigint]>([
      ['a listing, fees included', [nft], [native(90n), native(10n)], 100n],
      ['a listing for the wrapped native asset', [nft], [wrapped(90n), wrapped(10n)], 100n],
      ['one ERC1155', [item], [native(3n)], 3n],
      ['a bid, fees included', [wrapped(100n)], [nft, wrapped(10n)], 100n],
    ])('decodes the sale of one NFT: %s', (_, offer, consideration, price) => {
      expect(decodeEvent(marketplace, order(offer, consideration))).toEqual({ ...sale, price })
    })

    it.each<[string, Item[], Item[]]>([
      ['two NFTs', [nft, { ...nft, identifier: 8n }], [native(5n)]],
      ['two of an ERC1155', [{ ...item, amount: 2n }], [native(5n)]],
      ['a bid for two NFTs', [wrapped(5n)], [nft, { ...nft, identifier: 8n }]],
      ['another currency', [nft], [other]],
      ['a bid in another currency', [other], [nft]],
      ['another currency among fees', [nft], [native(5n), other]],
      ['NFT for NFT', [nft], [{ ...nft, identifier: 8n }]],
      ['an offer of an NFT and money', [nft, wrapped(1n)], [native(5n)]],
      ['no consideration', [nft], []],
      ['no offer', [], [nft]],
      ['an unknown item type', [{ ...nft, itemType: 4 }], [native(5n)]],
    ])('ignores orders with %s', (_, offer, consideration) => {
      expect(decodeEvent(marketplace, order(offer, consideration))).toBeUndefined()
    })

    it('decodes sales of configured marketplaces only', () => {
      expect(decodeEvent(token, order([nft], [native(5n)]))).toBeUndefined()
    })
  })

  describe('limited to some tokens', () => {
    const limited = createScope({ ...chain, tokens: [token], quoteTokens: [carol] })

    it('ignores transfers of other tokens', () => {
      const transfer = [topics.transfer, topic(alice), topic(bob)]
      expect(decode(token, transfer, topic('0x5'), limited)).toBeDefined()
      expect(decode(weth, transfer, topic('0x5'), limited)).toBeUndefined()
      expect(decode(weth, [topics.deposit, topic(alice)], topic('0x5'), limited)).toBeUndefined()
    })

    it('decodes only pools of these and of quote tokens', () => {
      const pair = (token0: string, token1: string) =>
        decode(
          factory,
          [poolTopics.pairCreated, topic(token0), topic(token1)],
          topic(bob) + word('1'),
          limited,
        )
      expect(pair(token, weth)).toBeDefined()
      expect(pair(carol, weth)).toBeDefined()
      expect(pair(token, alice)).toBeUndefined()
    })
  })

  it.each<[string, readonly string[], string]>([
    [
      'a transfer with one indexed field',
      [topics.transfer, topic(alice)],
      topic(bob) + word('0x5'),
    ],
    ['a transfer without fields', [topics.transfer], topic(alice) + word(bob)],
    [
      'a consecutive transfer that ends before it starts',
      [topics.consecutiveTransfer, topic('0x6'), topic(alice), topic(bob)],
      topic('0x5'),
    ],
    ['a transfer without amount', [topics.transfer, topic(alice), topic(bob)], '0x'],
    ['a transfer with an incomplete word', [topics.transfer, topic(alice), topic(bob)], '0x05'],
    ['another event', [topic('0x1234'), topic(alice), topic(bob)], topic('0x5')],
    ['an event without topics', [], topic('0x5')],
  ])('ignores %s', (_, logTopics, data) => {
    expect(decode(token, logTopics, data)).toBeUndefined()
  })

  it('never throws, whatever a contract emits', () => {
    const hex = (minLength: number, maxLength: number) =>
      fc
        .uint8Array({ minLength, maxLength })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const log: fc.Arbitrary<Log> = fc.record({
      blockNumber: fc.nat(),
      blockHash: hex(32, 32),
      logIndex: fc.nat(),
      transactionFrom: hex(20, 20),
      address: fc.oneof(hex(20, 20), fc.constantFrom(weth, factory, marketplace)),
      topics: fc
        .tuple(
          fc.oneof(hex(32, 32), fc.constantFrom(...allTopics)),
          fc.array(fc.oneof(hex(32, 32), hex(20, 20).map(topic)), { maxLength: 3 }),
        )
        .map(([first, others]) => [first, ...others]),
      // Small numbers are plausible offsets and lengths.
      data: fc.oneof(
        hex(0, 70),
        hex(32, 32),
        hex(64, 64),
        fc
          .array(fc.oneof(fc.nat(40), fc.constantFrom(32, 64, 96, 128, 2 ** 47)), { maxLength: 30 })
          .map((numbers) => `0x${numbers.map((number) => word(number.toString(16))).join('')}`),
      ),
    })
    fc.assert(
      fc.property(log, (input) => {
        const event = decodeLog(input, scope)
        if (event?.kind === 'transfer') {
          expect(event.amount).toBeGreaterThanOrEqual(0n)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
