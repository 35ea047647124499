import type { ValidationError } from '../ValidationError.ts'
import { wireName } from '../wireName.ts'
import type { DeclaredParameters } from './decodeParameters.ts'
import { describeInvalid } from './describeInvalid.ts'
import { InvalidRequestError } from './InvalidRequestError.ts'
import { resolveChains, type ResolvedChains, type ServedChain } from './resolveChains.ts'

/** What a valid request of an operation names. */
interface NamedChains {
  /** Undefined for those that are tagged `default`. */
  readonly chainIds?: readonly (number | string)[] | undefined
  readonly error?: undefined
}

/** An operation that somebody answers. */
interface AnsweredOperation<Accepted extends NamedChains> extends DeclaredParameters {
  /** `one` takes exactly one numeric id and answers no other chain. */
  readonly chains: 'one' | 'many'
  /** The request, or the first rule of the contract that its parameters break. */
  readonly accept: (parameters: unknown) => Accepted | { readonly error: ValidationError }
}

/** Which chains there are. */
interface KnownChains<Chain> {
  readonly served: readonly Chain[]
  /** Whether a word is the name of a chain: names are never accepted, and it is said so. */
  readonly isName: (word: string) => boolean
}

/**
 * Judges what a request asks of an operation, and finds the chains.
 *
 * @param operation - The operation.
 * @param parameters - Its parameters, decoded.
 * @param known - The chains that are served, and what is the name of one.
 * @returns What `accept` made of them, and the chains.
 * @throws {InvalidRequestError} 400 naming the parameter that is wrong; 404 when the one chain of an operation is not served.
 * @example
 * import { isBalancesParameters } from '@headwater/contract'
 * import { operations, readRequest } from '@headwater/contract/schemas'
 * const accept = (asked: unknown) =>
 *   isBalancesParameters(asked) ? asked : { error: isBalancesParameters.error! }
 * const served = [{ id: 1, tags: ['default'] }]
 * const isName = (word: string) => word === 'ethereum'
 * readRequest({ ...operations.balances, accept }, { address: '0xd8' }, { served, isName })
 */
export function readRequest<Accepted extends NamedChains, Chain extends ServedChain>(
  operation: AnsweredOperation<Accepted>,
  parameters: Readonly<Record<string, unknown>>,
  { served, isName }: KnownChains<Chain>,
): Accepted & ResolvedChains<Chain> {
  const isOne = operation.chains === 'one'
  const request = operation.accept(parameters)
  if (request.error) {
    if (isOne) {
      for (const name of ['chainId', 'chainIds']) refuseNames([parameters[name]].flat(), name)
    }
    throw describeInvalid(request.error, operation.schema.parameters)
  }
  const asTag = (asked: number | string) => served.some(({ tags }) => tags.includes(String(asked)))
  refuseNames(request.chainIds?.filter((asked) => !asTag(asked)) ?? [], 'chainIds')
  const resolved = resolveChains(served, request.chainIds)
  const [unsupported] = resolved.unsupportedChainIds
  if (isOne && unsupported !== undefined) {
    const param = wireName('chainId' in parameters ? 'chainId' : 'chainIds')
    const message = `Chain ${unsupported} is not served here`
    throw new InvalidRequestError(404, 'CHAIN_NOT_SUPPORTED', message, param)
  }
  return { ...request, ...resolved }

  function refuseNames(values: readonly unknown[], parameter: string): void {
    const param = wireName(parameter)
    for (const value of values) {
      if (typeof value !== 'string' || !isName(value)) continue
      const message = `${param} takes no names; "${value}" is the name of a chain`
      throw new InvalidRequestError(400, 'CHAIN_NAME_NOT_ACCEPTED', message, param)
    }
  }
}
