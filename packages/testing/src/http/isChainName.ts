import type { FakeChain } from '../world/FakeChain.ts'

/** Whether a word is the name of one of these chains, however it is written. */
export function isChainName(word: string, chains: readonly FakeChain[]): boolean {
  return chains.some(({ name }) => simplify(name) === simplify(word))
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
