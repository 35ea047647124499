import type { ObjectSchema } from '../JsonSchema.ts'
import type { ValidationError } from '../ValidationError.ts'
import { wireName } from '../wireName.ts'
import { InvalidRequestError } from './InvalidRequestError.ts'

/** The refusal of parameters that break a rule of their schema: what is wrong, and what the parameter takes. */
export function describeInvalid(error: ValidationError, schema: ObjectSchema): InvalidRequestError {
  const name = error.instancePath.split('/')[1] ?? ''
  const param = wireName(name)
  const takes = schema.properties[name]?.description
  const sentence = `${param} ${problem(error)}`
  const message = takes ? `${sentence}. ${takes}` : sentence
  return new InvalidRequestError(400, 'INVALID_PARAMETER', message, param)
}

function problem({ keyword, limit, message }: ValidationError): string {
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
      return `takes at most ${String(limit)} values`
    case 'enum':
      return `must be one of ${String(limit)}`
    case 'pattern':
    case 'anyOf':
      return 'is malformed'
    default:
      return message
  }
}
