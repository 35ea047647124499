/** Selects a random block of each of `count` equal parts of a range, both ends included. */
export function selectRandomBlocks(
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  random: () => number = Math.random,
): number[] {
  const blocks = Math.max(0, to - from + 1)
  const parts = Math.min(count, blocks)
  return Array.from({ length: parts }, (_, index) => {
    const start = Math.floor((index * blocks) / parts)
    const end = Math.floor(((index + 1) * blocks) / parts)
    return from + start + Math.floor(random() * (end - start))
  })
}
