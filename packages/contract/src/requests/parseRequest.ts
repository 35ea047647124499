import type { ValidationError } from '../createValidator.ts'
import type { JsonSchema } from '../JsonSchema.ts'
import type { Operation } from '../Operation.ts'
import { type OperationName, operations, type ParametersOf } from '../operations.ts'
import { operationSchemas } from '../operationSchemas.ts'
import { wireName } from '../wireName.ts'
import { InvalidRequestError } from './InvalidRequestError.ts'

interface ServedChain {
  readonly id: number
  readonly tags: readonly string[]
}

/**
 * A valid request.
 *
 * @example
 * import type { ParsedRequest } from '@headwater/contract/schemas'
 * const isFree = ({ units }: ParsedRequest<'balances', { id: number }>) => units === 0
 */
export interface ParsedRequest<Name extends OperationName, Chain> {
  readonly parameters: ParametersOf<Name>
  /** The served chains that the request selects, without duplicates, sorted by id. */
  readonly chains: readonly Chain[]
  /** Chain ids of the request that are not served. They cost nothing. */
  readonly unsupportedChainIds: readonly number[]
  /** Compute units that the request costs if all of its chains are part of the response. */
  readonly units: number
}

/**
 * Validates the parameters of a request and resolves its chains.
 *
 * @param name - The operation.
 * @param decoded - Its parameters, as {@link decodeParameters} returns them.
 * @param service - The served chains, and whether a word is a chain name. Names are rejected with a code of their own.
 * @throws {InvalidRequestError} 400 naming the invalid parameter; 404 when the chain of a single-chain operation is not
 *   served.
 * @example
 * import { parseRequest } from '@headwater/contract/schemas'
 * const chains = [{ id: 1, tags: ['default'] }]
 * const isChainName = (word: string) => word === 'ethereum'
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * parseRequest('balances', { address }, { chains, isChainName }).units // 1
 */
export function parseRequest<Name extends OperationName, Chain extends ServedChain>(
  name: Name,
  decoded: Readonly<Record<string, unknown>>,
  service: {
    readonly chains: readonly Chain[]
    readonly isChainName: (word: string) => boolean
  },
): ParsedRequest<Name, Chain> {
  const operation: unknown = operations[name]
  const { isParameters, chains: cardinality, cost } = operation as AnyOperation
  const isSingleChain = cardinality === 'one'
  const isTag = (id: unknown) => service.chains.some(({ tags }) => tags.includes(String(id)))
  if (!isParameters(decoded)) {
    // A name with a space is malformed, and has the same code as any other name.
    for (const parameter of ['chainId', 'chainIds']) {
      const values = [decoded[parameter]].flat()
      rejectNames(isSingleChain ? values : values.filter((id) => !isTag(id)), parameter)
    }
    throw describeInvalid(isParameters.error!, operationSchemas[name].parameters.properties)
  }
  const { chainId, chainIds = chainId === undefined ? undefined : [chainId] }: ChainParameters =
    decoded
  rejectNames(chainIds?.filter((id) => !isTag(id)) ?? [], 'chainIds')
  const { chains, unsupportedChainIds } = resolveChains(service.chains, chainIds)
  const [unsupported] = unsupportedChainIds
  if (isSingleChain && unsupported !== undefined) {
    const param = wireName(chainId === undefined ? 'chainIds' : 'chainId')
    throw rejectChain(unsupported, param)
  }
  return {
    parameters: decoded as ParametersOf<Name>,
    chains,
    unsupportedChainIds,
    units: cost(decoded, () => chains.length),
  }

  function rejectNames(values: readonly unknown[], parameter: string): void {
    const param = wireName(parameter)
    for (const value of values) {
      if (typeof value !== 'string' || !service.isChainName(value)) {
        continue
      }
      const message = `${param} does not accept names; "${value}" is a chain name: use its numeric id`
      throw new InvalidRequestError(400, 'CHAIN_NAME_NOT_ACCEPTED', message, param)
    }
  }
}

/**
 * Validates the parameters of a request without knowledge of the chains that the service serves, as a proxy does.
 *
 * @param name - The operation.
 * @param decoded - Its parameters, as {@link decodeParameters} returns them.
 * @throws {InvalidRequestError} 400 naming the invalid parameter.
 * @example
 * import { parseParameters } from '@headwater/contract/schemas'
 * parseParameters('tokenInfo', { address: 'native', chainIds: [1] }).chainIds // [1]
 */
export function parseParameters<Name extends OperationName>(
  name: Name,
  decoded: Readonly<Record<string, unknown>>,
): ParametersOf<Name> {
  const { isParameters } = operations[name]
  if (!isParameters(decoded)) {
    throw describeInvalid(isParameters.error!, operationSchemas[name].parameters.properties)
  }
  return decoded as unknown as ParametersOf<Name>
}

type AnyOperation = Pick<
  Operation<string, ChainParameters, never, never>,
  'isParameters' | 'chains' | 'cost'
>

/** Operations take their chains as `chainId` in the path or as `chainIds` in the query. */
interface ChainParameters {
  readonly chainIds?: readonly (number | string)[]
  readonly chainId?: number
}

/**
 * Finds the served chains that ids and tags select.
 *
 * @param served - The chains of the service.
 * @param chainIds - Ids and tags; undefined for the chains with the tag `default`.
 * @returns The chains, without duplicates, sorted by id, and the ids that are not served.
 * @throws {InvalidRequestError} 400 for an unknown tag.
 * @example
 * import { resolveChains } from '@headwater/contract/schemas'
 * resolveChains([{ id: 1, tags: ['default'] }], [1, 5]).unsupportedChainIds // [5]
 */
export function resolveChains<Chain extends ServedChain>(
  served: readonly Chain[],
  chainIds: readonly (number | string)[] | undefined,
): Pick<ParsedRequest<OperationName, Chain>, 'chains' | 'unsupportedChainIds'> {
  const found = new Set<Chain>()
  const unsupportedChainIds: number[] = []
  for (const idOrTag of chainIds ?? ['default']) {
    const matching = served.filter(({ id, tags }) =>
      typeof idOrTag === 'number' ? id === idOrTag : tags.includes(idOrTag),
    )
    matching.forEach((chain) => found.add(chain))
    if (matching.length === 0 && typeof idOrTag === 'number') {
      unsupportedChainIds.push(idOrTag)
    } else if (matching.length === 0 && chainIds) {
      const tags = [...new Set(served.flatMap((chain) => chain.tags))].sort().join(', ')
      const message = `Unknown chain tag "${idOrTag}"; known tags: ${tags}`
      throw new InvalidRequestError(400, 'UNKNOWN_CHAIN_TAG', message, 'chain_ids')
    }
  }
  return { chains: [...found].sort((a, b) => a.id - b.id), unsupportedChainIds }
}

/** The error of a chain that the service does not serve. */
export function rejectChain(chainId: number, param: string): InvalidRequestError {
  const message = `Chain ${chainId} is not supported; /v1/evm/supported-chains lists the chains`
  return new InvalidRequestError(404, 'CHAIN_NOT_SUPPORTED', message, param)
}

/** What is wrong, and what the parameter accepts. */
export function describeInvalid(
  error: ValidationError,
  properties: Readonly<Record<string, JsonSchema>>,
): InvalidRequestError {
  const parameter = error.instancePath.split('/')[1] ?? ''
  const param = wireName(parameter)
  const accepted = properties[parameter]?.description
  const problem = `${param} ${describeProblem(error)}`
  const message = accepted ? `${problem}. ${accepted}` : problem
  return new InvalidRequestError(400, 'INVALID_PARAMETER', message, param)
}

function describeProblem({ keyword, limit, message }: ValidationError): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'type':
      return `must be of type ${String(limit)}`
    case 'minimum':
      return `must be at least ${String(limit)}`
    case 'maximum':
      return `must be at most ${String(limit)}`
    case 'maxItems':
      return `accepts at most ${String(limit)} ${limit === 1 ? 'value' : 'values'}`
    case 'enum':
      return `must be one of ${String(limit)}`
    case 'pattern':
      return 'is malformed'
    default:
      return message
  }
}
