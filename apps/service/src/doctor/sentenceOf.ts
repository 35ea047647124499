/** What went wrong, as a sentence. */
export function sentenceOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
