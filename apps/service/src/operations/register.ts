import type { ValidationError } from '@headwater/contract'
import type { ObjectSchema } from '@headwater/contract/schemas'
import type { Answer, AnswerContext, AnswerOperation } from './Answer.ts'

/** An operation as the contract declares it. */
interface Declaration<Parameters> {
  readonly name: string
  readonly path: string
  readonly query: readonly string[]
  readonly cost: (parameters: Parameters, countChains: () => number) => number
  readonly schema: { readonly parameters: ObjectSchema }
}

interface Validator<Parameters> {
  (value: unknown): value is Parameters
  errors?: ValidationError[] | null
}

/** Parameters that are valid, and what can be done with them. */
export interface AcceptedRequest {
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
  readonly parameters: ObjectSchema
  /** The request, or the first rule of the contract that its parameters break. */
  readonly accept: (parameters: unknown) => AcceptedRequest | { readonly error: ValidationError }
}

/** Joins an operation's declaration, its validator and the query that answers it. */
export function register<Parameters extends { chainIds?: readonly (number | string)[] }>(
  { name, path, query, cost, schema }: Declaration<Parameters>,
  isParameters: Validator<Parameters>,
  answer: AnswerOperation<Parameters, object>,
): Registration {
  return {
    name,
    path,
    query,
    parameters: schema.parameters,
    accept(parameters) {
      if (isParameters(parameters))
        return {
          chainIds: parameters.chainIds,
          cost: (chains) => cost(parameters, () => chains),
          answer: (context) => answer(parameters, context),
        }
      const error = isParameters.errors?.at(-1)
      return { error: error ?? { instancePath: '', keyword: 'type', params: {} } }
    },
  }
}
