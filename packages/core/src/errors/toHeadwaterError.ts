import { HeadwaterError, isHeadwaterError } from './HeadwaterError.ts'

/** What a snapshot carries as error: foreign errors (of a `select`, of a persister) come wrapped. */
export function toHeadwaterError(error: unknown): HeadwaterError {
  if (isHeadwaterError(error)) return error
  return new HeadwaterError('Code outside of Headwater failed.', {
    details: error instanceof Error ? error.message : String(error),
    advice: 'See `cause`.',
    cause: error,
  })
}
