/** A deterministic source of pseudo-random numbers. */
export interface SeededRandom {
  /** An integer between `minimum` and `maximum`, inclusive. */
  integer(minimum: number, maximum: number): number
  /** True with a probability of `percent` percent. */
  chance(percent: number): boolean
  /** One of the items, uniformly distributed. */
  pick<Item>(items: readonly Item[]): Item
  /** An integer with an approximately normal distribution around 0 and the standard deviation `deviation`. */
  bell(deviation: number): number
}

/**
 * Creates a source from a seed (xmur3 hashes the seed, sfc32 generates the numbers). Its numbers are the same on every
 * machine.
 *
 * @param seed - any text
 */
export function seededRandom(seed: string): SeededRandom {
  const next = sfc32(seed)
  const integer = (minimum: number, maximum: number) =>
    minimum + Math.floor((next() / 0x1_0000_0000) * (maximum - minimum + 1))
  return {
    integer,
    chance: (percent) => integer(0, 9_999) < percent * 100,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) {
        throw new RangeError('Nothing to pick from')
      }
      return item
    },
    // The sum of 12 uniform draws of variance 1/12 has variance 1.
    bell: (deviation) => {
      let sum = 0
      for (let draw = 0; draw < 12; draw++) {
        sum += integer(-1_000_000, 1_000_000)
      }
      return Math.round((sum / 2_000_000) * deviation)
    },
  }
}

function sfc32(seed: string): () => number {
  const spread = xmur3(seed)
  let a = spread()
  let b = spread()
  let c = spread()
  let d = spread()
  return () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}

function xmur3(text: string): () => number {
  let hash = 1_779_033_703 ^ text.length
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 3_432_918_353)
    hash = (hash << 13) | (hash >>> 19)
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
    return (hash ^= hash >>> 16) >>> 0
  }
}
