import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address as wallet, numberedAddress, otherAddress } from '../../test/balances.ts'
import { planPrices, type PricedWallet, type PriceRequest, type PriceWant } from './planPrices.ts'
import { priceKey } from './PriceToken.ts'

function want(number: number, chainId = 1, fields: Partial<PriceWant> = {}): PriceWant {
  const address = numberedAddress(number)
  return { key: priceKey(chainId, address), chainId, address, way: 0, missing: [], ...fields }
}

function holding(wants: readonly PriceWant[], address = wallet): PricedWallet {
  return { parameters: { address }, keys: new Set(wants.map(({ key }) => key)) }
}

function unitsOf({ operation, parameters }: PriceRequest<PriceWant>): number {
  if (operation === 'tokenInfo') return 2
  return operation === 'tokenBalance' ? 1 : (parameters as { chainIds: number[] }).chainIds.length
}

function unitsOfAll(requests: readonly PriceRequest<PriceWant>[]): number {
  return requests.reduce((sum, request) => sum + unitsOf(request), 0)
}

const token = fc.record({
  number: fc.integer({ min: 1, max: 8 }),
  chainId: fc.constantFrom(1, 10, 137),
})
const tokens = fc.uniqueArray(token, {
  selector: ({ number, chainId }) => `${chainId}/${number}`,
  maxLength: 24,
})
const wants = tokens.chain((chosen) =>
  fc.tuple(
    ...chosen.map(({ number, chainId }) =>
      fc
        .record({
          way: fc.constantFrom(0, 0, 0, 1, 2),
          missing: fc.uniqueArray(fc.constantFrom(1, 2, 24, 48, 168), { maxLength: 5 }),
        })
        .map((fields) => want(number, chainId, fields)),
    ),
  ),
)
const wallets = fc.array(
  tokens.map((held) => holding(held.map(({ number, chainId }) => want(number, chainId)))),
  { maxLength: 5 },
)

describe('planPrices', () => {
  it('tells every want by one request, which can tell it', () => {
    fc.assert(
      fc.property(
        wants,
        wallets,
        fc.boolean(),
        fc.boolean(),
        (due, known, tellsPast, watchesMore) => {
          const watched = watchesMore ? [...due, want(1), want(2), want(3, 10)] : []
          const requests = planPrices(due, watched, known, tellsPast)
          const told = requests.flatMap((request) => request.wants)
          expect(new Set(told)).toEqual(new Set(due))
          expect(told).toHaveLength(due.length)
          for (const { operation, parameters, wants, offsets } of requests) {
            const asked = parameters as Record<string, unknown> & { chainIds: number[] }
            expect(offsets.length).toBeLessThanOrEqual(3)
            expect(asked.historicalPrices).toEqual(offsets.length > 0 ? offsets : undefined)
            const missing = new Set(wants.flatMap((each) => each.missing))
            expect(offsets.every((offset) => missing.has(offset))).toBe(true)
            for (const each of wants) {
              expect(asked.chainIds).toContain(each.chainId)
              if (operation === 'balances') {
                expect(each.way).toBe(0)
                expect(known.some(({ keys }) => wants.every(({ key }) => keys.has(key)))).toBe(true)
              } else {
                expect(wants).toHaveLength(1)
                expect(operation === 'tokenInfo' ? asked.address : asked.tokenAddress).toBe(
                  each.address,
                )
                if (operation === 'tokenBalance') expect(each.way).toBeLessThan(2)
              }
            }
          }
        },
      ),
    )
  })

  it('never costs more than token info of each token, nor than a single balance where that will do', () => {
    fc.assert(
      fc.property(wants, wallets, (due, known) => {
        const units = unitsOfAll(planPrices(due, due, known, true))
        expect(units).toBeLessThanOrEqual(2 * due.length)
        expect(units).toBeLessThanOrEqual(due.reduce((sum, { way }) => sum + (way < 2 ? 1 : 2), 0))
      }),
    )
  })

  it('never costs more for knowing another wallet', () => {
    fc.assert(
      fc.property(wants, wallets, (due, known) => {
        const without = unitsOfAll(planPrices(due, due, [], true))
        expect(unitsOfAll(planPrices(due, due, known, true))).toBeLessThanOrEqual(without)
      }),
    )
  })

  it('costs one unit a chain for what one wallet holds', () => {
    fc.assert(
      fc.property(tokens, (chosen) => {
        const due = chosen.flatMap(({ number, chainId }) => [
          want(number, chainId),
          want(number + 10, chainId),
        ])
        const requests = planPrices(due, due, [holding(due)], true)
        expect(unitsOfAll(requests)).toBe(new Set(due.map(({ chainId }) => chainId)).size)
        expect(requests.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('asks as the wallet was asked, on the chains that count', () => {
    const parameters = {
      address: wallet,
      chainIds: [1, 10, 137],
      filters: 'erc20',
      limit: 1000,
      historicalPrices: [5],
    } as const
    const due = [want(1), want(2), want(1, 137), want(2, 137)]
    const known = [{ ...holding([...due, want(1, 10)]), parameters }]
    expect(planPrices(due, [], known, true)).toEqual([
      {
        operation: 'balances',
        parameters: {
          address: wallet,
          chainIds: [1, 137],
          filters: 'erc20',
          limit: 1000,
          historicalPrices: undefined,
        },
        wants: due,
        offsets: [],
      },
    ])
  })

  it('takes the wallet that tells the most, and a single balance for one token', () => {
    const due = [want(1), want(2), want(3), want(4)]
    const known = [holding(due.slice(0, 2)), holding(due.slice(0, 3), otherAddress)]
    const requests = planPrices(due, [], known, true)
    expect(requests.map(({ operation, wants }) => [operation, wants.length])).toEqual([
      ['tokenBalance', 1],
      ['balances', 3],
    ])
    expect(planPrices([want(1)], [], known, true)).toMatchObject([{ operation: 'tokenBalance' }])
  })

  it('takes a wallet for one token too when it tells others that will be wanted soon', () => {
    const [one, other] = [want(1), want(2)]
    const known = [holding([one, other])]
    expect(planPrices([one], [one, other], known, true)).toMatchObject([
      { operation: 'balances', wants: [one] },
    ])
    expect(planPrices([one], [one, want(2, 10)], known, true)).toMatchObject([
      { operation: 'tokenBalance' },
    ])
  })

  it('asks token info only where nothing cheaper tells it', () => {
    const past = want(1, 1, { missing: [24] })
    expect(planPrices([past], [], [], true)).toMatchObject([
      { operation: 'tokenBalance', offsets: [24] },
    ])
    expect(planPrices([past], [], [], false)).toMatchObject([
      { operation: 'tokenInfo', offsets: [24] },
    ])
    expect(planPrices([past, want(2)], [], [holding([past, want(2)])], false)).toMatchObject([
      { operation: 'balances', offsets: [24] },
    ])
    expect(planPrices([want(1, 1, { way: 2 })], [], [], true)).toMatchObject([
      { operation: 'tokenInfo', offsets: [] },
    ])
  })

  it('asks for as many offsets as a request may, each once', () => {
    const due = [want(1, 1, { missing: [24, 1] }), want(2, 1, { missing: [1, 48, 168] })]
    expect(planPrices(due, [], [holding(due)], true)).toMatchObject([{ offsets: [24, 1, 48] }])
  })
})
