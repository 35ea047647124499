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
const dueItems = tokens.chain((chosen) =>
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
  it('assigns every item to one request that can contain it', () => {
    fc.assert(
      fc.property(
        dueItems,
        wallets,
        fc.boolean(),
        fc.boolean(),
        (due, knownWallets, includesPast, watchesMore) => {
          const watched = watchesMore ? [...due, item(1), item(2), item(3, 10)] : []
          const requests = planPriceRequests(due, watched, knownWallets, includesPast)
          const planned = requests.flatMap((request) => request.items)
          expect(new Set(planned)).toEqual(new Set(due))
          expect(planned).toHaveLength(due.length)
          for (const { operation, parameters, items: covered, offsets } of requests) {
            const sent = parameters as Record<string, unknown> & { chainIds: number[] }
            expect(offsets.length).toBeLessThanOrEqual(3)
            expect(sent.historicalPrices).toEqual(offsets.length > 0 ? offsets : undefined)
            const missing = new Set(covered.flatMap((each) => each.missingOffsets))
            expect(offsets.every((offset) => missing.has(offset))).toBe(true)
            for (const each of covered) {
              expect(sent.chainIds).toContain(each.chainId)
              if (operation === 'balances') {
                expect(each.nextSource).toBe('balances')
                expect(
                  knownWallets.some(({ keys }) => covered.every(({ key }) => keys.has(key))),
                ).toBe(true)
              } else {
                expect(covered).toHaveLength(1)
                expect(operation === 'tokenInfo' ? sent.address : sent.tokenAddress).toBe(
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

  it('never costs more than token info for each token, nor than single balances where they suffice', () => {
    fc.assert(
      fc.property(dueItems, wallets, (due, knownWallets) => {
        const units = unitsOfAll(planPriceRequests(due, due, knownWallets, true))
        expect(units).toBeLessThanOrEqual(2 * due.length)
        expect(units).toBeLessThanOrEqual(
          due.reduce((sum, { nextSource }) => sum + (nextSource === 'tokenInfo' ? 2 : 1), 0),
        )
      }),
    )
  })

  it('never costs more with an additional wallet', () => {
    fc.assert(
      fc.property(dueItems, wallets, (due, knownWallets) => {
        const without = unitsOfAll(planPriceRequests(due, due, [], true))
        expect(unitsOfAll(planPriceRequests(due, due, knownWallets, true))).toBeLessThanOrEqual(
          without,
        )
      }),
    )
  })

  it('costs one unit per chain for the tokens of one wallet', () => {
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

  it('repeats the parameters of the wallet, on the required chains only', () => {
    const parameters = {
      address: wallet,
      chainIds: [1, 10, 137],
      filters: 'erc20',
      limit: 1000,
      historicalPrices: [5],
    } as const
    const due = [item(1), item(2), item(1, 137), item(2, 137)]
    const knownWallets = [{ ...holding([...due, item(1, 10)]), parameters }]
    expect(planPriceRequests(due, [], knownWallets, true)).toEqual([
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

  it('prefers the wallet that covers most tokens, and a single balance for one token', () => {
    const due = [item(1), item(2), item(3), item(4)]
    const knownWallets = [holding(due.slice(0, 2)), holding(due.slice(0, 3), otherAddress)]
    const requests = planPriceRequests(due, [], knownWallets, true)
    expect(requests.map(({ operation, items }) => [operation, items.length])).toEqual([
      ['tokenBalance', 1],
      ['balances', 3],
    ])
    expect(planPriceRequests([item(1)], [], knownWallets, true)).toMatchObject([
      { operation: 'tokenBalance' },
    ])
  })

  it('uses a wallet for one token if it covers others that are due soon', () => {
    const one = item(1)
    const other = item(2)
    const knownWallets = [holding([one, other])]
    expect(planPriceRequests([one], [one, other], knownWallets, true)).toMatchObject([
      { operation: 'balances', items: [one] },
    ])
    expect(planPriceRequests([one], [one, item(2, 10)], knownWallets, true)).toMatchObject([
      { operation: 'tokenBalance' },
    ])
  })

  it('uses token info only as the last resort', () => {
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

  it('requests as many offsets as a request allows, each once', () => {
    const due = [
      item(1, 1, { missingOffsets: [24, 1] }),
      item(2, 1, { missingOffsets: [1, 48, 168] }),
    ]
    expect(planPriceRequests(due, [], [holding(due)], true)).toMatchObject([
      { offsets: [24, 1, 48] },
    ])
  })
})
