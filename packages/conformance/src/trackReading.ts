/** A `fetch` that tracks the reading of bodies, which takes real time in a browser. */
export interface TrackedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Resolves when all bodies are read. */
  readonly whenRead: () => Promise<void>
}

/** Tracks the reading of the bodies of a `fetch`. */
export function trackReading(fetch: typeof globalThis.fetch): TrackedFetch {
  const reading = new Set<Promise<string>>()
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      const read = response.text.bind(response)
      response.text = () => {
        const text = read()
        const remove = () => void reading.delete(text)
        reading.add(text)
        text.then(remove, remove)
        return text
      }
      return response
    },
    async whenRead() {
      while (reading.size > 0) {
        await Promise.allSettled(reading)
      }
    },
  }
}
