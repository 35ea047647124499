import { derived, type Readable, toStore } from 'svelte/store'

/**
 * A store of a value that is read from `$state`: `toStore`, except that it starts with the current value also after a pause
 * without subscribers. `toStore` keeps the one before the pause where the current value is that of its creation.
 */
export function toCurrentStore<Value>(read: () => Value): Readable<Value> {
  // Each is another object.
  return derived(
    toStore(() => ({ value: read() })),
    ({ value }) => value,
  )
}
