import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address as wallet, numberedAddress, otherAddress } from '../../test/balances.ts'
import {
  planPriceRequests,
  type PricedWallet,
  type PriceRequest,
  type PriceRequestItem,
} from './planPriceRequests.ts'
import type { PriceSource } from './PriceTick.ts'
import { getPriceKey } from './PriceToken.ts'

function item(
  number: number,
  chainId = 1,
  fields: Partial<PriceRequestItem> = {},
): PriceRequestItem {
  const address = numberedAddress(number)
  return {
    key: getPriceKey(chainId, address),
    chainId,
    address,
    nextSource: 'balances',
    missingOffsets: [],
    ...fields,
  }
}

function holding(items: readonly PriceRequestItem[], address = wallet): PricedWallet {
  return { parameters: { address }, keys: new Set(items.map(({ key }) => key)) }
}

function unitsOf({ operation, parameters }: PriceRequest<PriceRequestItem>): number {
  if (operation === 'tokenInfo') {
    return 2
  }
  return operation === 'tokenBalance' ? 1 : (parameters as { chainIds: number[] }).chainIds.length
}

function unitsOfAll(requests: readonly PriceRequest<PriceRequestItem>[]): number {
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
          nextSource: fc.constantFrom<PriceSource>(
            'balances',
            'balances',
            'balances',
            'tokenBalance',
            'tokenInfo',
          ),
          missingOffsets: fc.uniqueArray(fc.constantFrom(1, 2, 24, 48, 168), { maxLength: 5 }),
        })
        .map((fields) => item(number, chainId, fields)),
    ),
  ),
)
const wallets = fc.array(
  tokens.map((held) => holding(held.map(({ number, chainId }) => item(number, chainId)))),
  { maxLength: 5 },
)

describe('planPriceRequests', () => {
  it('tells every want by one request, which can tell it', () => {
    fc.assert(
      fc.property(
        wants,
        wallets,
        fc.boolean(),
        fc.boolean(),
        (due, known, tellsPast, watchesMore) => {
          const watched = watchesMore ? [...due, item(1), item(2), item(3, 10)] : []
          const requests = planPriceRequests(due, watched, known, tellsPast)
          const told = requests.flatMap((request) => request.items)
          expect(new Set(told)).toEqual(new Set(due))
          expect(told).toHaveLength(due.length)
          for (const { operation, parameters, items: covered, offsets } of requests) {
            const asked = parameters as Record<string, unknown> & { chainIds: number[] }
            expect(offsets.length).toBeLessThanOrEqual(3)
            expect(asked.historicalPrices).toEqual(offsets.length > 0 ? offsets : undefined)
            const missing = new Set(covered.flatMap((each) => each.missingOffsets))
            expect(offsets.every((offset) => missing.has(offset))).toBe(true)
            for (const each of covered) {
              expect(asked.chainIds).toContain(each.chainId)
              if (operation === 'balances') {
                expect(each.nextSource).toBe('balances')
                expect(known.some(({ keys }) => covered.every(({ key }) => keys.has(key)))).toBe(
                  true,
                )
              } else {
                expect(covered).toHaveLength(1)
                expect(operation === 'tokenInfo' ? asked.address : asked.tokenAddress).toBe(
                  each.address,
                )
                if (operation === 'tokenBalance') {
                  expect(each.nextSource).not.toBe('tokenInfo')
                }
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
        const units = unitsOfAll(planPriceRequests(due, due, known, true))
        expect(units).toBeLessThanOrEqual(2 * due.length)
        expect(units).toBeLessThanOrEqual(
          due.reduce((sum, { nextSource }) => sum + (nextSource === 'tokenInfo' ? 2 : 1), 0),
        )
      }),
    )
  })

  it('never costs more for knowing another wallet', () => {
    fc.assert(
      fc.property(wants, wallets, (due, known) => {
        const without = unitsOfAll(planPriceRequests(due, due, [], true))
        expect(unitsOfAll(planPriceRequests(due, due, known, true))).toBeLessThanOrEqual(without)
      }),
    )
  })

  it('costs one unit a chain for what one wallet holds', () => {
    fc.assert(
      fc.property(tokens, (chosen) => {
        const due = chosen.flatMap(({ number, chainId }) => [
          item(number, chainId),
          item(number + 10, chainId),
        ])
        const requests = planPriceRequests(due, due, [holding(due)], true)
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
    const due = [item(1), item(2), item(1, 137), item(2, 137)]
    const known = [{ ...holding([...due, item(1, 10)]), parameters }]
    expect(planPriceRequests(due, [], known, true)).toEqual([
      {
        operation: 'balances',
        parameters: {
          address: wallet,
          chainIds: [1, 137],
          filters: 'erc20',
          limit: 1000,
          historicalPrices: undefined,
        },
        items: due,
        offsets: [],
      },
    ])
  })

  it('takes the wallet that tells the most, and a single balance for one token', () => {
    const due = [item(1), item(2), item(3), item(4)]
    const known = [holding(due.slice(0, 2)), holding(due.slice(0, 3), otherAddress)]
    const requests = planPriceRequests(due, [], known, true)
    expect(requests.map(({ operation, items }) => [operation, items.length])).toEqual([
      ['tokenBalance', 1],
      ['balances', 3],
    ])
    expect(planPriceRequests([item(1)], [], known, true)).toMatchObject([
      { operation: 'tokenBalance' },
    ])
  })

  it('takes a wallet for one token too when it tells others that will be wanted soon', () => {
    const [one, other] = [item(1), item(2)]
    const known = [holding([one, other])]
    expect(planPriceRequests([one], [one, other], known, true)).toMatchObject([
      { operation: 'balances', items: [one] },
    ])
    expect(planPriceRequests([one], [one, item(2, 10)], known, true)).toMatchObject([
      { operation: 'tokenBalance' },
    ])
  })

  it('asks token info only where nothing cheaper tells it', () => {
    const past = item(1, 1, { missingOffsets: [24] })
    expect(planPriceRequests([past], [], [], true)).toMatchObject([
      { operation: 'tokenBalance', offsets: [24] },
    ])
    expect(planPriceRequests([past], [], [], false)).toMatchObject([
      { operation: 'tokenInfo', offsets: [24] },
    ])
    expect(planPriceRequests([past, item(2)], [], [holding([past, item(2)])], false)).toMatchObject(
      [{ operation: 'balances', offsets: [24] }],
    )
    expect(
      planPriceRequests([item(1, 1, { nextSource: 'tokenInfo' })], [], [], true),
    ).toMatchObject([{ operation: 'tokenInfo', offsets: [] }])
  })

  it('asks for as many offsets as a request may, each once', () => {
    const due = [
      item(1, 1, { missingOffsets: [24, 1] }),
      item(2, 1, { missingOffsets: [1, 48, 168] }),
    ]
    expect(planPriceRequests(due, [], [holding(due)], true)).toMatchObject([
      { offsets: [24, 1, 48] },
    ])
  })
})
