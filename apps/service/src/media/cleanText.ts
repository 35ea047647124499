/**
 * Sanitizes untrusted text for display: removes control and bidirectional formatting characters, and truncates it.
 *
 * @param maxLength - in code points, so that none is split.
 * @returns an empty string when no text remains.
 */
export function cleanText(text: string, maxLength: number): string {
  const clean = text
    // Bounds the work; the rest of the factor of 16 is for characters that are removed.
    .slice(0, 16 * maxLength)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '')
    .trim()
  return clean.length <= maxLength ? clean : Array.from(clean).slice(0, maxLength).join('').trim()
}
