import { setImmediate } from 'node:timers/promises'
import { toSkeleton } from './lookalikes.ts'

/** The names of a token. */
export interface TokenNames {
  readonly symbol?: string | undefined
  readonly name?: string | undefined
}

/** Tokens of a chain by {@link listNameKeys}: the first one with a name that looks like a given one. */
export type NameIndex = ReadonlyMap<string, string>

const fields = ['symbol', 'name'] as const
/** Shorter names look like many others. */
const minSkeleton = 2
/** About a millisecond of the event loop. */
const tokensPerTurn = 100

/** What the symbol and the name of a token look like. Two tokens with a key in common are easily confused. */
export function listNameKeys(chainId: number, names: TokenNames): string[] {
  return fields.flatMap((field) => {
    const skeleton = toSkeleton(names[field] ?? '')
    return skeleton.length < minSkeleton ? [] : [`${chainId} ${field} ${skeleton}`]
  })
}

/** Indexes the names of many tokens. Other work of the process continues meanwhile. */
export async function indexNames(
  tokens: Iterable<{
    readonly chainId: number
    readonly address: string
    readonly names: TokenNames
  }>,
): Promise<NameIndex> {
  const index = new Map<string, string>()
  let count = 0
  for (const { chainId, address, names } of tokens) {
    for (const key of listNameKeys(chainId, names)) {
      index.set(key, index.get(key) ?? address)
    }
    if (++count % tokensPerTurn === 0) {
      await setImmediate()
    }
  }
  return index
}
