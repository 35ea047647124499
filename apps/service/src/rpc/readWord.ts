import type { CallOutcome } from './CallOutcome.ts'

/**
 * The whole number that a contract answered: the first word of the answer, as ABI decoders take it. Undefined where it
 * told none, as a contract without such a function does, or where there is none (`0x`).
 */
export function readWord(outcome: CallOutcome | undefined): bigint | undefined {
  if (outcome?.kind !== 'answered') return undefined
  const word = /^0x[0-9a-f]{64}/i.exec(outcome.data)
  return word ? BigInt(word[0]) : undefined
}
