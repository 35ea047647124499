import type { Warning } from '@headwater/contract'
import { MalformedAnswerError } from '../errors/MalformedAnswerError.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { mendItem, withoutNulls } from './mendItem.ts'
import { mendNotes } from './mendNotes.ts'

/**
 * Judges an answer, tolerantly, so that one bad token does not hide a wallet: unknown fields pass, a `null` counts as
 * absent, and what cannot be read is left out and reported as a warning: a field of an item that can do without it
 * (`MALFORMED_FIELDS`), else the item (`MALFORMED_ITEMS`). Of items with one identity the first counts.
 */
export function readAnswer<Parameters extends object, Response extends object, Item>(
  {
    declaration,
    isResponse,
    isItem,
    list = declaration.list,
  }: ClientOperation<Parameters, Response, Item>,
  url: string,
  body: unknown,
): Response {
  if (!isResponse(body)) {
    const { instancePath = '', message = '' } = isResponse.error ?? {}
    throw new MalformedAnswerError(url, `${instancePath} ${message}`.trim())
  }
  const answer = withoutNulls(body)
  mendNotes(answer)
  if (list === undefined || isItem === undefined) return answer as Response
  const items = answer[list.items] as readonly unknown[]
  const read = new Map<string, Item>()
  const lost = new Set<string>()
  let dropped = 0
  for (const each of items) {
    const item = mendItem(isItem, each, lost)
    if (item === undefined) dropped++
    else {
      const identity = list.identity(item)
      if (!read.has(identity)) read.set(identity, item)
    }
  }
  const warn = (code: string, message: string) => {
    const warning: Warning = { code, message: `${message} could not be read and are left out.` }
    answer.warnings = [...((answer.warnings ?? []) as Warning[]), warning]
  }
  if (dropped > 0) warn('MALFORMED_ITEMS', `${dropped} of ${items.length} entries of ${list.items}`)
  if (lost.size > 0)
    warn('MALFORMED_FIELDS', `The fields ${[...lost].join(', ')} of some entries of ${list.items}`)
  answer[list.items] = [...read.values()]
  // It goes into the next request as text. One that leads nowhere is noticed there.
  if (answer.next_offset) answer.next_offset = String(answer.next_offset)
  else delete answer.next_offset
  return answer as Response
}
