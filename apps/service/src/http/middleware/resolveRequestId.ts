/** A name for a request that says nothing: that of its caller where it is well-formed, and otherwise a new one. */
export function resolveRequestId(given: string | null | undefined): string {
  return given && /^[\w\-=]{1,255}$/.test(given) ? given : crypto.randomUUID()
}
