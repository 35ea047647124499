import type { AnyOperation } from '../operations.ts'
import { wireName } from '../wireName.ts'

/**
 * Writes valid parameters as path and query.
 *
 * @param operation - The operation.
 * @param parameters - Its parameters. Undefined ones are omitted.
 * @returns Path and query, relative to the base URL of the service.
 * @example
 * import { balances, buildUrl } from '@headwater/contract'
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * buildUrl(balances, { address, chainIds: [1, 8453] }) // '/v1/evm/balances/0xd8…?chain_ids=1,8453'
 */
export function buildUrl(
  { path, queryParameters }: Pick<AnyOperation, 'path' | 'queryParameters'>,
  parameters: object,
): string {
  const value = (name: string) => (parameters as Record<string, unknown>)[name]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(value(name)))
  const pairs = queryParameters
    .filter((name) => value(name) !== undefined)
    .map((name) => `${wireName(name)}=${encode(value(name))}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

/** An array is one value with commas, which a query does not escape. */
function encode(value: unknown): string {
  return Array.isArray(value) ? value.map(encode).join(',') : encodeURIComponent(String(value))
}
