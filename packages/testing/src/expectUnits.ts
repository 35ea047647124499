import type { Usage } from '@headwater/core'

/**
 * From when on {@link expectUnits} counts.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import { expectUnits, type ExpectUnitsOptions } from '@headwater/testing'
 * const client = createClient({ baseUrl: 'https://headwater.test' })
 * const options: ExpectUnitsOptions = { since: client.getUsage() }
 * expectUnits(client, options).toCost(0)
 */
export interface ExpectUnitsOptions {
  /** What the client had spent when counting began. Default: nothing, so all since the client was made counts. */
  readonly since?: Usage
}

/**
 * What {@link expectUnits} can say.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import { expectUnits, type UnitsExpectation } from '@headwater/testing'
 * const client = createClient({ baseUrl: 'https://headwater.test' })
 * const expectation: UnitsExpectation = expectUnits(client)
 * expectation.toCostAtMost(5)
 */
export interface UnitsExpectation {
  /**
   * @param units - The most compute units that may have been spent.
   * @throws {AssertionError} that names what was spent on each operation.
   */
  toCostAtMost(units: number): void
  /**
   * @param units - The compute units that must have been spent, no more and no fewer.
   * @throws {AssertionError} that names what was spent on each operation.
   */
  toCost(units: number): void
}

/** What test runners show as a failed expectation, with both sides. */
class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly actual: number
  readonly expected: number

  constructor(message: string, actual: number, expected: number) {
    super(message)
    this.actual = actual
    this.expected = expected
  }
}

/**
 * Expects what a client spent, by its own ledger. Works with any test runner.
 *
 * @param client - A client, or anything else that tells its usage.
 * @param options - From when on to count.
 * @returns What can be expected. It counts when it is asked, and nothing is awaited.
 * @example
 * import { createClient, getBalances } from '@headwater/core'
 * import { createFakeService, expectUnits } from '@headwater/testing'
 *
 * const service = createFakeService()
 * const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
 * await getBalances(client, { address: service.wallet('everyday').address, chainIds: [1, 8453] })
 * expectUnits(client).toCostAtMost(2)
 */
export function expectUnits(
  client: { getUsage(): Usage },
  { since }: ExpectUnitsOptions = {},
): UnitsExpectation {
  const check = (isGood: (spent: number) => boolean, expected: number, words: string) => {
    const { spent, byOperation } = client.getUsage()
    const actual = spent - (since?.spent ?? 0)
    if (isGood(actual)) {
      return
    }
    const parts = Object.entries(byOperation)
      .map(([name, units]) => [name, units - (since?.byOperation[name as never] ?? 0)] as const)
      .filter(([, units]) => units > 0)
      .map(([name, units]) => `${name} ${units}`)
    const detail = parts.length > 0 ? parts.join(', ') : 'nothing'
    const message = `expected ${words} ${expected} compute units to be spent, not ${actual}: ${detail}`
    throw new AssertionError(message, actual, expected)
  }
  return {
    toCostAtMost: (units) => check((spent) => spent <= units, units, 'at most'),
    toCost: (units) => check((spent) => spent === units, units, 'exactly'),
  }
}
