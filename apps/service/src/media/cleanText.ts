/**
 * Makes a stranger's text fit to be shown: control characters and NUL, and those that turn the direction of writing, are
 * removed, and it is cut.
 *
 * @param maximumLength - characters, of which none is cut within.
 * @returns empty when nothing is left.
 */
export function cleanText(text: string, maximumLength: number): string {
  const clean = text
    // Twice what can be left of it in UTF-16, and room for what is removed.
    .slice(0, 16 * maximumLength)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '')
    .trim()
  return Array.from(clean).slice(0, maximumLength).join('').trim()
}
