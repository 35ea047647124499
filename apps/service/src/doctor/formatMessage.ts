/** What went wrong, as words. */
export function formatMessage(reason: unknown): string {
  // Of a host with several addresses, none of which could be reached; it has no message of its own.
  if (reason instanceof AggregateError && reason.errors.length > 0) {
    return formatMessage(reason.errors[0])
  }
  return reason instanceof Error ? reason.message : String(reason)
}
