import type { Usage } from '@headwater/core'

/**
 * Options of {@link expectUnits}.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import { expectUnits, type ExpectUnitsOptions } from '@headwater/testing'
 * const client = createClient({ baseUrl: 'https://headwater.test' })
 * const options: ExpectUnitsOptions = { since: client.getUsage() }
 * expectUnits(client, options).toCost(0)
 */
export interface ExpectUnitsOptions {
  /** The usage at the start of the measurement. Default: zero, to include all requests of the client. */
  readonly since?: Usage | undefined
}

/**
 * The assertions of {@link expectUnits}.
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
   * @param units - The maximum of spent compute units.
   * @throws {AssertionError} that lists the units of each operation.
   */
  toCostAtMost(units: number): void
  /**
   * @param units - The exact number of spent compute units.
   * @throws {AssertionError} that lists the units of each operation.
   */
  toCost(units: number): void
}

/** Test runners display `actual` and `expected` of errors with this name. */
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
 * Asserts how many units a client spent, by its own usage. Works with any test runner.
 *
 * @param client - A client, or another object with `getUsage`.
 * @param options - The start of the measurement.
 * @returns Assertions, which are synchronous and read the current usage.
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
