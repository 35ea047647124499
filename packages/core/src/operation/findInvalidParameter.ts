import type { ValidationError } from '@headwater/contract'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { ClientOperation } from './ClientOperation.ts'

/** What is wrong with parameters, as far as it can be known without asking. */
export function findInvalidParameter<Parameters extends object>(
  { isParameters }: Pick<ClientOperation<Parameters, never>, 'isParameters'>,
  parameters: unknown,
): InvalidParameterError | undefined {
  if (isParameters(parameters)) return undefined
  const errors = isParameters.errors ?? []
  const parameter = errors[0] === undefined ? 'parameters' : parameterOf(errors[0])
  return new InvalidParameterError(parameter, ruleOf(errors), valueOf(parameters, parameter))
}

function parameterOf({ instancePath, params }: ValidationError): string {
  const name = instancePath.split('/')[1] ?? params.missingProperty ?? params.additionalProperty
  return typeof name === 'string' ? name : 'parameters'
}

function ruleOf(errors: readonly ValidationError[]): string {
  const [first] = errors
  if (first?.keyword === 'required') return 'is required'
  if (first?.keyword === 'additionalProperties') return 'is unknown'
  // A choice lists what each of its branches wants, and then itself.
  const rules = errors.filter(({ keyword }) => keyword !== 'anyOf').map(({ message }) => message)
  return rules.join(' or ') || 'is not valid'
}

function valueOf(parameters: unknown, name: string): unknown {
  if (typeof parameters !== 'object' || parameters === null) return parameters
  return (parameters as Record<string, unknown>)[name]
}
