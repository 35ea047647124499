import { type ValidationError, wireName } from '@headwater/contract'
import type { ObjectSchema } from '@headwater/contract/schemas'
import { RefusalError } from './RefusalError.ts'

/** The refusal of parameters that break a rule of their schema: which one, which rule, and what it takes. */
export function describeInvalid(error: ValidationError, schema: ObjectSchema): RefusalError {
  const { instancePath, keyword, message } = error
  const name = instancePath.split('/')[1] ?? ''
  const param = wireName(name)
  const problem = keyword === 'required' ? 'is missing' : message
  const takes = schema.properties[name]?.description ?? ''
  return new RefusalError(400, 'INVALID_PARAMETER', `${param} ${problem}. ${takes}`.trim(), {
    param,
  })
}
