/** How fast a key may ask: a bucket of so many requests, which fills evenly within so many seconds. */
export interface Rate {
  readonly requests: number
  readonly seconds: number
}
