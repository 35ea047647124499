/** Counts the timers that are set from now on. Must be called before modules that set timers are loaded. */
export function countTimers() {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const live = new Set<unknown>()
  const timers = {
    set: 0,
    cleared: 0,
    live: () => live.size,
  }
  const clear = (timer: unknown) => {
    if (live.delete(timer)) {
      timers.cleared++
    }
  }
  globalThis.setTimeout = ((
    callback: (...rest: unknown[]) => void,
    delay?: number,
    ...rest: unknown[]
  ) => {
    const timer = setTimeout(() => {
      live.delete(timer)
      callback(...rest)
    }, delay)
    timers.set++
    live.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.setInterval = ((...rest: Parameters<typeof setInterval>) => {
    const timer = setInterval(...rest)
    timers.set++
    live.add(timer)
    return timer
  }) as typeof setInterval
  globalThis.clearTimeout = (timer) => {
    clear(timer)
    clearTimeout(timer)
  }
  globalThis.clearInterval = (timer) => {
    clear(timer)
    clearInterval(timer)
  }
  return timers
}
