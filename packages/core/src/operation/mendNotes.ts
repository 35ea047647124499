import type { BalancesErrors, Warning } from '@headwater/contract'
import { isObject } from '../isObject.ts'

/**
 * Brings what an answer says beside its items, `warnings` and `errors`, into the shape that their types promise. Another
 * service may say it otherwise, and whatever it says is to reach the user.
 */
export function mendNotes(answer: Record<string, unknown>): void {
  const { warnings, errors } = answer
  if (isSaid(warnings)) answer.warnings = [warnings].flat().map(toWarning)
  else delete answer.warnings
  if (!isSaid(errors)) delete answer.errors
  else if (!isErrors(errors)) answer.errors = { error_message: text(errors) }
}

/** Empty lists and objects, however nested, say nothing. */
function isSaid(note: unknown): boolean {
  if (isObject(note) || Array.isArray(note)) return Object.values(note).some(isSaid)
  return note !== undefined && note !== null && note !== ''
}

function isErrors(errors: unknown): errors is BalancesErrors {
  if (!isObject(errors)) return false
  const { error_message = '', token_errors = [] } = errors as Record<string, unknown>
  return (
    typeof error_message === 'string' && Array.isArray(token_errors) && token_errors.every(isObject)
  )
}

function toWarning(warning: unknown): Warning {
  const { code, message } = (isObject(warning) ? warning : {}) as Partial<Warning>
  if (typeof code === 'string' && typeof message === 'string') return warning as Warning
  return { code: 'WARNING', message: text(message ?? warning) }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
