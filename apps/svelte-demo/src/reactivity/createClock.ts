import { type Readable, readable } from 'svelte/store'

/** The time, in milliseconds, renewed every so many. */
export function createClock(interval: number): Readable<number> {
  return readable(Date.now(), (set) => {
    const timer = setInterval(() => set(Date.now()), interval)
    return () => clearInterval(timer)
  })
}
