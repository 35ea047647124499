import type { Question } from './Question.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte
/** Whatever is asked, nothing larger is read. */
const maximumBytes = 256 * megabyte
/** What a node says around its answers, or instead of them. */
const envelopeBytes = 64 * kilobyte
/** Of one answer, by method. The others tell of whole blocks, which have no bound worth naming. */
const bytesByMethod: Readonly<Record<string, number>> = {
  eth_chainId: kilobyte,
  eth_getBalance: kilobyte,
  // A document of an NFT within its URI.
  eth_call: 8 * megabyte,
}

/** How many bytes are read of the answer to a request of these questions. */
export function maximumBytesOf(questions: readonly Question[]): number {
  const bytes = questions.map(
    (question) => question.maximumBytes ?? bytesByMethod[question.method] ?? maximumBytes,
  )
  return Math.min(
    maximumBytes,
    bytes.reduce((sum, each) => sum + each, envelopeBytes),
  )
}
