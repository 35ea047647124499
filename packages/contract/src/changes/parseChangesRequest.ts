import type { ChangesParameters } from '../generated/types.ts'
import { isChangesParameters } from '../generated/validators.ts'
import { decodeQuery } from '../requests/decodeParameters.ts'
import { InvalidRequestError } from '../requests/InvalidRequestError.ts'
import { describeInvalid, rejectChain } from '../requests/parseRequest.ts'
import { changesSchemas } from './schema.ts'

/** The subjects of a subscription on one chain, in lower case and without duplicates. */
export interface ChangesSubjects {
  readonly wallets: ReadonlySet<string>
  readonly tokens: ReadonlySet<string>
  readonly holders: ReadonlySet<string>
}

/** The lists of a subscription. */
const kinds = ['wallets', 'tokens', 'holders'] as const

/**
 * Parses the query of a subscription to changes.
 *
 * @param query - Query of the request.
 * @param isSupported - Whether a chain is served; without it, all are accepted.
 * @returns Its parameters, and the subjects by chain id.
 * @throws {InvalidRequestError} 400 naming the invalid parameter; 404 for a chain that is not served.
 * @example
 * import { parseChangesRequest } from '@headwater/contract/schemas'
 * const { searchParams } = new URL('https://example.org/v1/evm/changes?tokens=1:native')
 * parseChangesRequest(searchParams).chains.get(1)?.tokens // Set { 'native' }
 */
export function parseChangesRequest(
  query: URLSearchParams,
  isSupported: (chainId: number) => boolean = () => true,
): {
  readonly parameters: ChangesParameters
  readonly chains: ReadonlyMap<number, ChangesSubjects>
} {
  const parameters: unknown = decodeQuery(changesSchemas.parameters.properties, query)
  if (!isChangesParameters(parameters)) {
    throw describeInvalid(isChangesParameters.error!, changesSchemas.parameters.properties)
  }
  const chains = new Map<number, Record<(typeof kinds)[number], Set<string>>>()
  for (const kind of kinds) {
    for (const subject of parameters[kind] ?? []) {
      const [id = '', address = ''] = subject.toLowerCase().split(':')
      const chainId = Number(id)
      if (!isSupported(chainId)) {
        throw rejectChain(chainId, kind)
      }
      const subjects = chains.get(chainId) ?? {
        wallets: new Set<string>(),
        tokens: new Set<string>(),
        holders: new Set<string>(),
      }
      chains.set(chainId, subjects)
      subjects[kind].add(address)
    }
  }
  if (chains.size === 0) {
    const message = 'wallets, tokens or holders is missing'
    throw new InvalidRequestError(400, 'INVALID_PARAMETER', message, 'wallets')
  }
  return { parameters, chains }
}

/** Most seconds that a request waits: below the time after which servers close a connection without traffic. */
const maxWaitSeconds = 50

/**
 * Parses how long a request waits for changes, instead of a stream.
 *
 * @param prefer - The header `Prefer`.
 * @returns Seconds, at most 50; undefined unless the client prefers to wait.
 * @example
 * import { parseWait } from '@headwater/contract/schemas'
 * parseWait('wait=30') // 30
 */
export function parseWait(prefer: string | null | undefined): number | undefined {
  const seconds = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,9})/i.exec(prefer ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds), maxWaitSeconds)
}
