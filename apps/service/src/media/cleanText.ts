/**
 * Sanitizes untrusted text for display: removes control characters, line separators and bidirectional formatting, and
 * truncates it.
 *
 * @param maxLength - in code points, so that none is split.
 * @returns an empty string when no visible text remains.
 */
export function cleanText(text: string, maxLength: number): string {
  const clean = text
    // Bounds the work; the rest of the factor of 16 is for characters that are removed.
    .slice(0, 16 * maxLength)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
    .trim()
  const short =
    clean.length <= maxLength ? clean : Array.from(clean).slice(0, maxLength).join('').trim()
  // Emojis and some scripts need invisible characters beside others.
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(short) ? short : ''
}
