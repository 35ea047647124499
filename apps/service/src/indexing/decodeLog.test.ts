import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../rpc/Log.ts'
import { decodeLog, type Scope, zeroAddress } from './decodeLog.ts'
import { topics } from './topics.ts'

const weth = `0x${'ee'.repeat(20)}`
const factory = `0x${'ff'.repeat(20)}`
const token = `0x${'aa'.repeat(20)}`
const [alice, bob, carol] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const scope: Scope = {
  wrappedNative: weth,
  wrappedNativeEmitsTransfers: false,
  uniswapV2Factories: [factory],
}
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')
const topic = (hex: string) => `0x${word(hex)}`

function decode(address: string, logTopics: readonly string[], data: string, inScope = scope) {
  const position = { blockNumber: 1, blockHash: topic('0x1'), logIndex: 0 }
  return decodeLog({ ...position, address, topics: logTopics, data }, inScope)
}

describe('decodeLog', () => {
  it('reads a transfer of any amount', () => {
    const amount = 2n ** 256n - 1n
    expect(
      decode(token, [topics.transfer, topic(alice), topic(bob)], topic(amount.toString(16))),
    ).toEqual({ kind: 'transfer', token, from: alice, to: bob, amount })
  })

  it('reads deposits and withdrawals of the wrapped native asset alone', () => {
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
    expect(decode(token, deposit, topic('0x5'))).toBeUndefined()
    expect(decode(token, withdrawal, topic('0x5'))).toBeUndefined()
  })

  it('counts no deposit twice where the wrapped native asset writes a Transfer for it too', () => {
    const emitsBoth = { ...scope, wrappedNativeEmitsTransfers: true }
    for (const name of [topics.deposit, topics.withdrawal])
      expect(decode(weth, [name, topic(alice)], topic('0x5'), emitsBoth)).toBeUndefined()
    const transfer = [topics.transfer, topic(zeroAddress), topic(alice)]
    expect(decode(weth, transfer, topic('0x5'), emitsBoth)).toMatchObject({ to: alice, amount: 5n })
  })

  it('reads pairs of configured factories alone', () => {
    const pair = [topics.pairCreated, topic(alice), topic(bob)]
    const data = topic(carol) + word('0x1')
    expect(decode(factory, pair, data)).toEqual({
      kind: 'pool',
      address: carol,
      factory,
      token0: alice,
      token1: bob,
    })
    expect(decode(token, pair, data)).toBeUndefined()
  })

  it('reads reserves', () => {
    const data = topic('0x7') + word('0x8')
    const reserves = { kind: 'reserves', pool: token, reserve0: 7n, reserve1: 8n }
    expect(decode(token, [topics.sync], data)).toEqual(reserves)
  })

  it.each<[string, readonly string[], string]>([
    ['an ERC721 transfer', [topics.transfer, topic(alice), topic(bob), topic('0x5')], '0x'],
    ['a transfer with all in its data', [topics.transfer], topic(alice) + word(bob) + word('0x5')],
    ['a transfer without amount', [topics.transfer, topic(alice), topic(bob)], '0x'],
    ['a transfer of a byte', [topics.transfer, topic(alice), topic(bob)], '0x05'],
    [
      'a transfer with too much data',
      [topics.transfer, topic(alice), topic(bob)],
      topic('0x5') + '00',
    ],
    [
      'a transfer to no address',
      [topics.transfer, topic(alice), `0x${'f'.repeat(64)}`],
      topic('0x5'),
    ],
    ['another event', [topic('0x1234'), topic(alice), topic(bob)], topic('0x5')],
    ['an event without topics', [], topic('0x5')],
  ])('passes over %s', (_, logTopics, data) => {
    expect(decode(token, logTopics, data)).toBeUndefined()
  })

  it('never throws, whatever a contract writes', () => {
    const hex = (minLength: number, maxLength: number) =>
      fc
        .uint8Array({ minLength, maxLength })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const log: fc.Arbitrary<Log> = fc.record({
      blockNumber: fc.nat(),
      blockHash: hex(32, 32),
      logIndex: fc.nat(),
      address: fc.oneof(hex(20, 20), fc.constantFrom(weth, factory)),
      topics: fc
        .tuple(
          fc.oneof(hex(32, 32), fc.constantFrom(...Object.values(topics))),
          fc.array(fc.oneof(hex(32, 32), hex(20, 20).map(topic)), { maxLength: 3 }),
        )
        .map(([first, others]) => [first, ...others]),
      data: fc.oneof(hex(0, 70), hex(32, 32), hex(64, 64)),
    })
    fc.assert(
      fc.property(log, (garbage) => {
        const fact = decodeLog(garbage, scope)
        if (fact?.kind === 'transfer') expect(fact.amount).toBeGreaterThanOrEqual(0n)
      }),
      { numRuns: 2000 },
    )
  })
})
