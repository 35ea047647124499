import type { AnyOperation, BalancesErrors, Validator, Warning } from '@headwater/contract'
import { InvalidResponseError } from '../errors/InvalidResponseError.ts'
import { isObject } from '../isObject.ts'

/**
 * Validates a response leniently, so that one invalid token does not hide a wallet. Unknown fields are kept and `null`
 * counts as absent. An invalid field is removed and reported as a warning (`MALFORMED_FIELDS`); an item that is invalid
 * without the field is removed as a whole (`MALFORMED_ITEMS`). Of items with the same id, the first one is kept.
 *
 * @throws {InvalidResponseError} when a required field of the response itself is missing or invalid.
 */
export function parseResponse<Parameters extends object, Response extends object, Item>(
  operation: AnyOperation<Parameters, Response, Item>,
  url: string,
  body: unknown,
): Response {
  const { itemsField, getItemId, isResponse, isItem } = operation
  if (!isResponse(body)) {
    const { instancePath = '', message = '' } = isResponse.error ?? {}
    throw new InvalidResponseError(url, `${instancePath} ${message}`.trim())
  }
  const response = withoutNulls(body)
  normalizeNotices(response)
  const items = response[itemsField] as readonly unknown[]
  const valid = new Map<string, Item>()
  const invalidFields = new Set<string>()
  let dropped = 0
  for (const each of items) {
    const item = sanitizeItem(isItem, each, invalidFields)
    if (item === undefined) {
      dropped++
      continue
    }
    const key = getItemId(item)
    if (!valid.has(key)) {
      valid.set(key, item)
    }
  }
  const warn = (code: string, subject: string) => {
    const warning: Warning = { code, message: `${subject} are invalid and were removed.` }
    response.warnings = [...((response.warnings ?? []) as Warning[]), warning]
  }
  if (dropped > 0) {
    warn('MALFORMED_ITEMS', `${dropped} of ${items.length} entries of ${itemsField}`)
  }
  if (invalidFields.size > 0) {
    warn(
      'MALFORMED_FIELDS',
      `The fields ${[...invalidFields].join(', ')} of some entries of ${itemsField}`,
    )
  }
  response[itemsField] = [...valid.values()]
  // The cursor becomes text of the next request. A cursor without effect is detected by the listing.
  if (response.next_offset) {
    response.next_offset = String(response.next_offset)
  } else {
    delete response.next_offset
  }
  return response as Response
}

/**
 * Returns a valid item as it is. Otherwise returns a copy without nulls and without invalid optional fields, or `undefined`
 * if a required field is missing or invalid.
 *
 * @param invalidFields - Collects the names of removed fields.
 */
function sanitizeItem<Item>(
  isItem: Validator<Item>,
  item: unknown,
  invalidFields: Set<string>,
): Item | undefined {
  if (isItem(item)) {
    return item
  }
  if (!isObject(item)) {
    return undefined
  }
  const copy = withoutNulls(item)
  for (const name in copy) {
    if (isObject(copy[name])) {
      copy[name] = withoutNulls(copy[name])
    }
  }
  const removed: string[] = []
  while (!isItem(copy)) {
    const name = isItem.error?.instancePath.split('/')[1]
    // A required field is missing.
    if (name === undefined || !(name in copy)) {
      return undefined
    }
    removed.push(name)
    Reflect.deleteProperty(copy, name)
  }
  for (const name of removed) {
    invalidFields.add(name)
  }
  return copy
}

function withoutNulls(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/**
 * Converts the `warnings` and `errors` of a response to their declared types. Other services use other shapes, and their
 * content must reach the user.
 */
function normalizeNotices(response: Record<string, unknown>): void {
  const { warnings, errors } = response
  if (hasContent(warnings)) {
    response.warnings = [warnings].flat().map(toWarning)
  } else {
    delete response.warnings
  }
  if (!hasContent(errors)) {
    delete response.errors
  } else if (!isBalancesErrors(errors)) {
    response.errors = { error_message: toText(errors) }
  }
}

/** Empty arrays and objects, at any depth, have no content. */
function hasContent(value: unknown): boolean {
  if (isObject(value) || Array.isArray(value)) {
    return Object.values(value).some(hasContent)
  }
  return value !== undefined && value !== null && value !== ''
}

function isBalancesErrors(errors: unknown): errors is BalancesErrors {
  if (!isObject(errors)) {
    return false
  }
  const {
    error_message = '',
    token_errors = [],
    chain_errors = [],
  } = errors as Record<string, unknown>
  return (
    typeof error_message === 'string' &&
    [token_errors, chain_errors].every((list) => Array.isArray(list) && list.every(isObject))
  )
}

function toWarning(warning: unknown): Warning {
  const { code, message } = (isObject(warning) ? warning : {}) as Partial<Warning>
  if (typeof code === 'string' && typeof message === 'string') {
    return warning as Warning
  }
  return { code: 'WARNING', message: toText(message ?? warning) }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
