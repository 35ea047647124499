import type { Validator, ValidationError } from '@headwater/contract'
import type { JsonSchema, ObjectSchema, operations } from '@headwater/contract/schemas'
import type { FakeChain } from '../world/FakeChain.ts'
import type { World } from '../world/World.ts'
import type { SortKey } from './SortKey.ts'

/**
 * The nouns of the service, as the contract declares them.
 *
 * @example
 * import { createFakeService, type FakeOperationName } from '@headwater/testing'
 * const failOnce = (operation: FakeOperationName) => createFakeService().fail({ status: 500, operation, times: 1 })
 */
export type FakeOperationName = keyof typeof operations

/** What rows are made from. */
export interface RowContext {
  readonly world: World
  /** The chains that the request is about, by id. */
  readonly chains: readonly FakeChain[]
  /** Where the request came to, for links: without a slash at its end. */
  readonly baseUrl: string
}

/** A row of an answer. */
export interface Row<Item = object> {
  readonly key: SortKey
  /** Made only for a page that has it. */
  readonly item: () => Item
}

/** All that an operation of the fake service does not take from its declaration. */
export interface Generator<Parameters, Item> {
  /** All rows that the parameters ask for, in any order, whatever page of them is asked for. */
  readonly rows: (parameters: Parameters, context: RowContext) => readonly Row<Item>[]
  /** The fields of the answer that are about the question. */
  readonly about: (parameters: Parameters) => object
}

/** The schemas of an operation. */
interface Schemas {
  readonly parameters: ObjectSchema
  readonly response: ObjectSchema
  readonly item: JsonSchema
}

/** An operation as the contract declares it. */
interface Declaration<Parameters> {
  readonly name: FakeOperationName
  readonly path: string
  readonly query: readonly string[]
  readonly chains: 'one' | 'many'
  readonly cost: (parameters: Parameters, countChains: () => number) => number
  readonly list?: { readonly limit: { readonly default: number; readonly maximum: number } }
  readonly schema: Schemas
}

/** Parameters that are valid, and what can be done with them. */
export interface AcceptedRequest {
  readonly chainIds: readonly (number | string)[] | undefined
  /** Compute units, given the number of chains that the request is about. */
  readonly cost: (chains: number) => number
  readonly rows: (context: RowContext) => readonly Row[]
  readonly about: object
}

/** An operation that the fake service answers, whatever the types of its parameters. */
export interface FakeOperation {
  readonly name: FakeOperationName
  readonly path: string
  readonly query: readonly string[]
  readonly chains: 'one' | 'many'
  /** Page sizes, of an operation that lists. */
  readonly limit: { readonly default: number; readonly maximum: number } | undefined
  readonly schema: Schemas
  /** Field of the answer that holds the items. */
  readonly items: string
  readonly accept: (parameters: unknown) => AcceptedRequest | { readonly error: ValidationError }
}

interface ChainParameters {
  readonly chainIds?: readonly (number | string)[]
  readonly chainId?: number
}

/** Joins an operation's declaration, its validator and its rows. */
export function fakeOperation<Parameters extends ChainParameters, Item extends object>(
  { name, path, query, chains, cost, list, schema }: Declaration<Parameters>,
  isParameters: Validator<Parameters>,
  { rows, about }: Generator<Parameters, Item>,
): FakeOperation {
  return {
    name,
    path,
    query,
    chains,
    schema,
    limit: list?.limit,
    items: findItems(schema),
    accept(parameters) {
      if (isParameters(parameters))
        return {
          chainIds: parameters.chainId === undefined ? parameters.chainIds : [parameters.chainId],
          cost: (count) => cost(parameters, () => count),
          rows: (context) => rows(parameters, context),
          about: about(parameters),
        }
      const { error } = isParameters
      return { error: error ?? { instancePath: '', keyword: 'type', message: 'must be an object' } }
    },
  }
}

/** The field of an answer whose entries are the items, which an operation without pages has too. */
function findItems({ response, item }: Schemas): string {
  const [found] = Object.entries(response.properties).filter(([, { items }]) => items === item)
  if (!found) throw new TypeError('The declared response has no list of the declared items')
  return found[0]
}
