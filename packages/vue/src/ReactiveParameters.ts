import { type MaybeRefOrGetter, toValue } from 'vue'

/**
 * Parameters of a composable: a value, a ref or a getter of them, and each of them may be one too.
 *
 * @example
 * ```ts
 * import type { TokenInfoParameters } from '@headwater/core'
 * import { useTokenInfo, type ReactiveParameters } from '@headwater/vue'
 * import { ref } from 'vue'
 *
 * const address = ref('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
 * const parameters: ReactiveParameters<TokenInfoParameters> = { address, chainIds: () => [1] }
 * const info = useTokenInfo(parameters)
 * ```
 */
export type ReactiveParameters<Parameters> = MaybeRefOrGetter<{
  [Name in keyof Parameters]: MaybeRefOrGetter<Parameters[Name]>
}>

/** What the parameters are at this very moment. */
export function readParameters<Parameters extends object>(
  parameters: ReactiveParameters<Parameters>,
): Parameters {
  const given: object = toValue(parameters)
  const read: object = Array.isArray(given)
    ? given.map((each) => toValue<unknown>(each))
    : Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toValue(value)]))
  return read as Parameters
}
