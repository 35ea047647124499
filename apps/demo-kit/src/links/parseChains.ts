/** Reads ids and tags as people write them: `1, 8453, default`. What is neither is left out. */
export function parseChains(text: string): (number | string)[] {
  const chains = text.split(/[\s,]+/).map((word) => (/^\d+$/.test(word) ? Number(word) : word))
  return [...new Set(chains)].filter((each) =>
    typeof each === 'number'
      ? each >= 1 && Number.isSafeInteger(each)
      : /^[A-Za-z][\w-]*$/.test(each),
  )
}
