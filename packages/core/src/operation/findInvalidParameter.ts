import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { ClientOperation } from './ClientOperation.ts'

/** What is wrong with parameters, as far as it can be known without asking. */
export function findInvalidParameter<Parameters extends object>(
  { isParameters }: Pick<ClientOperation<Parameters, never>, 'isParameters'>,
  parameters: unknown,
): InvalidParameterError | undefined {
  if (isParameters(parameters) || !isParameters.error) return undefined
  const { instancePath, message } = isParameters.error
  const [, name] = instancePath.split('/')
  return name === undefined
    ? new InvalidParameterError('parameters', message, parameters)
    : new InvalidParameterError(name, message, (parameters as Record<string, unknown>)[name])
}
