/** The message of an error. */
export function formatReason(reason: unknown): string {
  // A host with several addresses, none of which is reachable, gives an AggregateError without a message.
  if (reason instanceof AggregateError && reason.errors.length > 0) {
    return formatReason(reason.errors[0])
  }
  return reason instanceof Error ? reason.message : String(reason)
}
