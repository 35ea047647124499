/** Parses chain ids and tags such as `1, 8453, default`; invalid ones are omitted. */
export function parseChains(text: string): (number | string)[] {
  const chains = text.split(/[\s,]+/).map((word) => (/^\d+$/.test(word) ? Number(word) : word))
  return [...new Set(chains)].filter((each) =>
    typeof each === 'number'
      ? each >= 1 && Number.isSafeInteger(each)
      : /^[A-Za-z][\w-]*$/.test(each),
  )
}
