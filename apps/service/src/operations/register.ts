import type { ValidationError, Validator } from '@headwater/contract'
import type { ObjectSchema } from '@headwater/contract/schemas'
import type { Answer, AnswerContext, AnswerOperation } from './Answer.ts'

/** An operation as the contract declares it. */
interface Declaration<Parameters> {
  readonly name: string
  readonly path: string
  readonly query: readonly string[]
  readonly chains: 'one' | 'many'
  readonly cost: (parameters: Parameters, countChains: () => number) => number
  readonly schema: { readonly parameters: ObjectSchema }
}

/** Where operations have the chains that they are asked about: in their query, or one in their path. */
interface ChainParameters {
  readonly chainIds?: readonly (number | string)[]
  readonly chainId?: number
}

/** Parameters that are valid, and what can be done with them. */
export interface AcceptedRequest {
  /** What names the chains; undefined for those that are tagged `default`. */
  readonly chainIds: readonly (number | string)[] | undefined
  /** Compute units, given the number of supported chains that the request names. */
  readonly cost: (chains: number) => number
  readonly answer: (context: AnswerContext) => Promise<Answer<object>>
}

/** An operation that this service answers, whatever the types of its parameters. */
export interface Registration {
  readonly name: string
  readonly path: string
  readonly query: readonly string[]
  /** `one` takes exactly one numeric id and answers no other chain. */
  readonly chains: 'one' | 'many'
  readonly schema: { readonly parameters: ObjectSchema }
  /** The request, or the first rule of the contract that its parameters break. */
  readonly accept: (parameters: unknown) => AcceptedRequest | { readonly error: ValidationError }
}

/** Joins an operation's declaration, its validator and the query that answers it. */
export function register<Parameters extends ChainParameters>(
  { name, path, query, chains, cost, schema }: Declaration<Parameters>,
  isParameters: Validator<Parameters>,
  answer: AnswerOperation<Parameters, object>,
): Registration {
  return {
    name,
    path,
    query,
    chains,
    schema,
    accept(parameters) {
      if (isParameters(parameters))
        return {
          chainIds: parameters.chainId === undefined ? parameters.chainIds : [parameters.chainId],
          cost: (count) => cost(parameters, () => count),
          answer: (context) => answer(parameters, context),
        }
      const { error } = isParameters
      return { error: error ?? { instancePath: '', keyword: 'type', message: 'is not valid' } }
    },
  }
}
