import type { OperationName } from '@headwater/contract'
import { isObject } from '../isObject.ts'

/** The parameters of a subscription. */
export type SubjectKind = 'wallets' | 'tokens' | 'holders'

/** What a response depends on: `kind/chainId:address`. */
export type Subject = `${SubjectKind}/${string}`

/** Warnings of responses that are complete otherwise: polls would not change them sooner. */
const followedWarnings = new Set(['BALANCES_NOT_READ', 'DEPEGGED', 'UNSUPPORTED_CHAIN_IDS'])

/**
 * The subjects of a response of a query.
 *
 * @param chainIds - The chains that the response reflects.
 * @returns Undefined for a response that may change without an event.
 */
export function getSubjects(
  operation: OperationName,
  parameters: object,
  data: unknown,
  chainIds: readonly number[],
): Subject[] | undefined {
  const { address, tokenAddress } = parameters as Record<string, unknown>
  if (!isObject(data) || chainIds.length === 0) {
    return undefined
  }
  // Of a chain that is unavailable, no event reports when it is available again. Tokens that cannot be read may remain so.
  if (isObject(data.errors) && data.errors.chain_errors) {
    return undefined
  }
  const warnings = Array.isArray(data.warnings) ? (data.warnings as { code?: string }[]) : []
  if (warnings.some(({ code }) => !followedWarnings.has(code ?? ''))) {
    return undefined
  }
  const onChains = (kind: SubjectKind, subject: unknown) =>
    chainIds.map((chainId): Subject => `${kind}/${chainId}:${String(subject).toLowerCase()}`)
  switch (operation) {
    case 'balances':
      return [...onChains('wallets', address), ...getTokens(data.balances, 'address')]
    case 'collectibles':
      return [...onChains('wallets', address), ...getTokens(data.entries, 'contract_address')]
    case 'tokenBalance':
      return [...onChains('wallets', address), ...onChains('tokens', tokenAddress)]
    case 'tokenInfo':
      return onChains('tokens', address)
    case 'tokenHolders':
      return onChains('holders', address)
    default:
      return undefined
  }
}

/** The tokens of the rows of a response, once each. */
function getTokens(rows: unknown, field: string): Subject[] {
  const tokens = new Set<Subject>()
  for (const row of Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []) {
    tokens.add(`tokens/${Number(row.chain_id)}:${String(row[field]).toLowerCase()}`)
  }
  return [...tokens]
}
