/** A `fetch` of which is known whether an answer is just being read, which takes real time in a browser. */
export interface TrackedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Resolves when every answer that came has been read. */
  readonly whenRead: () => Promise<void>
}

/** Tracks how answers of a `fetch` are read. */
export function trackReading(fetch: typeof globalThis.fetch): TrackedFetch {
  const reading = new Set<Promise<string>>()
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      const read = response.text.bind(response)
      response.text = () => {
        const text = read()
        const forget = () => void reading.delete(text)
        reading.add(text)
        text.then(forget, forget)
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
