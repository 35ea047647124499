/** Latin letters, and in the same places those of Cyrillic, Greek and Armenian that look like them in one of the cases. */
const pairs = [
  ['abcehhijklmopqstvwxy', 'авсеһніјкӏморԛѕтѵԝху'],
  ['abehikmnoptxyz', 'αβεηικμνορτχυζ'],
  ['ghnou', 'ցհոօս'],
] as const
const lookalikes = new Map(
  pairs.flatMap(([latin, others]) => {
    const letters = Array.from(latin)
    const alike = Array.from(others)
    return alike.map((letter, index) => [letter, letters[index] ?? letter] as const)
  }),
)
/** Digits that are read as letters. */
const digits = new Map([
  ['0', 'o'],
  ['1', 'l'],
])

const words = /[\p{L}\p{M}]+/gu
const latin = /\p{Script=Latin}/u
const alikeScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u
/** An invisible character beside a Latin letter: other scripts and emojis need some of them. */
const invisible =
  /\p{Script=Latin}\p{Default_Ignorable_Code_Point}|\p{Default_Ignorable_Code_Point}\p{Script=Latin}/u
/**
 * The label before the dot matters as far as its last letter or digit: more of it would be searched again from each of its
 * letters, and from each of the hyphens before the dot.
 */
const domain = /(?:https?:|www\.)|[\p{L}\p{N}]-*\.[a-z]{2,}(?![\p{L}\p{N}])/iu

/**
 * What a text looks like: two with the same skeleton are easily confused. Spaces, punctuation, accents and case do not count.
 *
 * @returns an empty string for a text without letters and digits.
 */
export function toSkeleton(text: string): string {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Array.from(letters, (letter) => lookalikes.get(letter) ?? digits.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')
}

/**
 * Whether a text is likely to be mistaken for another one: a word of Latin letters and those of a script with letters that look
 * like them, an invisible character beside a Latin letter, or another form of one, such as a wide or a mathematical one.
 */
export function hasConfusables(text: string): boolean {
  const isMixed = (text.match(words) ?? []).some(
    (word) => latin.test(word) && alikeScripts.test(word),
  )
  return isMixed || invisible.test(text) || Array.from(text).some(isFormOfLetter)
}

function isFormOfLetter(character: string): boolean {
  return character > '\u007f' && /^[a-z]$/i.test(character.normalize('NFKC'))
}

/** Whether a text has a URL or a domain. */
export function hasUrl(text: string): boolean {
  return domain.test(text.normalize('NFKC'))
}
