import type { Warning } from '@headwater/contract'
import { MalformedAnswerError } from '../errors/MalformedAnswerError.ts'
import type { ClientOperation } from './ClientOperation.ts'

/**
 * Judges an answer, tolerantly: unknown fields pass, a `null` counts as absent, and an item that cannot be read is left
 * out and reported as a warning of the code `MALFORMED_ITEMS`, so that one bad token does not hide a wallet.
 */
export function readAnswer<Parameters extends object, Response extends object, Item>(
  { declaration, isResponse, isItem }: ClientOperation<Parameters, Response, Item>,
  url: string,
  body: unknown,
): Response {
  if (!isResponse(body)) {
    const [error] = isResponse.errors ?? []
    throw new MalformedAnswerError(
      url,
      `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim(),
    )
  }
  const answer = withoutNulls(body)
  const field = declaration.list?.items
  if (field === undefined || isItem === undefined) return answer
  const items = answer[field] as readonly unknown[]
  const good = items.filter(isItem)
  const dropped = items.length - good.length
  if (dropped === 0) return answer
  const { warnings } = answer as { warnings?: unknown }
  const warning: Warning = {
    code: 'MALFORMED_ITEMS',
    message: `${dropped} of ${items.length} entries of \`${field}\` could not be read and are left out.`,
  }
  return {
    ...answer,
    [field]: good,
    warnings: [...(Array.isArray(warnings) ? (warnings as Warning[]) : []), warning],
  }
}

function withoutNulls<T extends object>(answer: T): T {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null)) as T
}
