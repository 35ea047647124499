import { type Readable, readable } from 'svelte/store'

/** The current time in milliseconds, updated at an interval. */
export function createClock(interval: number): Readable<number> {
  return readable(Date.now(), (set) => {
    const timer = setInterval(() => set(Date.now()), interval)
    return () => clearInterval(timer)
  })
}
