import type { ItemValidator } from './ClientOperation.ts'
import { isObject } from './isObject.ts'

/**
 * What of an item can be read: itself when nothing is wrong with it; else a copy without nulls, which count as absent,
 * and without the malformed fields that it can do without; `undefined` when one of the others is malformed.
 *
 * @param lost - Takes the names of the fields that are left out.
 */
export function mendItem<Item>(
  isItem: ItemValidator<Item>,
  item: unknown,
  lost: Set<string>,
): Item | undefined {
  if (isItem(item)) return item
  if (!isObject(item)) return undefined
  const mended = withoutNulls(item)
  for (const name in mended) if (isObject(mended[name])) mended[name] = withoutNulls(mended[name])
  const malformed: string[] = []
  while (!isItem(mended)) {
    // The first broken rule is about the item itself, and about no field, when a field is missing.
    const name = isItem.errors?.[0]?.instancePath.split('/')[1]
    if (name === undefined) return undefined
    malformed.push(name)
    Reflect.deleteProperty(mended, name)
  }
  for (const name of malformed) lost.add(name)
  return mended
}

/** A copy of an object without what is `null`. */
export function withoutNulls(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}
