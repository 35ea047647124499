import { compareByValue, type Entry, type SortKey } from './compareByValue.ts'

/**
 * Takes the entries that follow a key.
 *
 * @param entries - in the order of the listing. However many there are, finding where to begin takes a few steps.
 * @param isListed - which of them the listing has.
 * @param after - undefined to begin with the first.
 */
export function takePage(
  entries: readonly Entry[],
  isListed: (entry: Entry) => boolean,
  after: SortKey | undefined,
  limit: number,
): Entry[] {
  const page: Entry[] = []
  for (let index = after ? countUpTo(entries, after) : 0; index < entries.length; index++) {
    if (page.length === limit) {
      break
    }
    const entry = entries[index]
    if (entry && isListed(entry)) {
      page.push(entry)
    }
  }
  return page
}

/** How many entries come no later than a key, by halving. */
function countUpTo(entries: readonly Entry[], key: SortKey): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry && compareByValue(entry.key, key) <= 0) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}
