/** The items with different keys: the last one of each key, at the place of the first. */
export function uniqueBy<Item>(items: readonly Item[], getKey: (item: Item) => unknown): Item[] {
  return [...new Map(items.map((item) => [getKey(item), item])).values()]
}
