import type { Validator } from '@headwater/contract'
import { isObject } from '../isObject.ts'

/**
 * What of an item can be read: itself when nothing is wrong with it; else a copy without nulls, which count as absent,
 * and without the malformed fields that it can do without; `undefined` when one of the others is malformed.
 *
 * @param lost - Takes the names of the fields that are left out.
 */
export function mendItem<Item>(
  isItem: Validator<Item>,
  item: unknown,
  lost: Set<string>,
): Item | undefined {
  if (isItem(item)) return item
  if (!isObject(item)) return undefined
  const mended = withoutNulls(item)
  for (const name in mended) if (isObject(mended[name])) mended[name] = withoutNulls(mended[name])
  const malformed: string[] = []
  while (!isItem(mended)) {
    const name = isItem.error?.instancePath.split('/')[1]
    // It is missing, and needed.
    if (name === undefined || !(name in mended)) return undefined
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
