/**
 * What nodes mean by their messages, as no code of JSON-RPC distinguishes it. Each pattern matches messages of several
 * implementations and providers, which the tests list.
 */

/** The state of a block was deleted. */
const missingState =
  /missing trie node|no state (?:available|\d+ blocks)|state.{0,80}(?:not available|unavailable|not found|missing|pruned|too old)|pruned|historical state|archive|old data not available|distance to target block exceeds/i
/** The node lacks a block, as one that lags behind the others: no part of the request succeeds. */
const missingBlock =
  /\b(?:header|block)(?: for hash| with (?:id|hash|number))?[^.]{0,80}(?:not found|does not exist|not canonical)|unknown (?:block|header)|(?:cannot|could not) (?:find|be found).{0,20}(?:block|header)|beyond (?:the )?(?:current|latest|head)|future|latest block|invalid block range/i
/**
 * A contract failed the call: it reverted, or the EVM halted. Geth, Erigon and providers write "execution reverted: …" and
 * "invalid opcode: INVALID", Nethermind "VM execution error", and Reth and Anvil the names of revm, such as "EVM error
 * InvalidFEOpcode".
 */
const failedExecution = new RegExp(
  [
    ...['revert', 'vm execution error', 'vm exception', 'bad ?instruction'],
    ...['invalid ?(?:fe ?)?opcode', 'opcode ?not ?found', 'not ?activated'],
    ...['(?:bad|invalid) ?jump', 'stack ?(?:under|over)flow', 'stack limit'],
    ...['out ?of ?(?:gas|offset|funds)', String.raw`\w+oog\b`, 'gas uint64 overflow'],
    ...['max call depth', 'call ?too ?deep', 'return data out of bounds', 'access ?violation'],
    ...['write protection', 'state ?change ?during ?static', 'static ?call ?violation'],
    ...['call ?not ?allowed ?inside ?static', 'precompile ?error', 'overflow ?payment'],
  ].join('|'),
  'i',
)
/** Logs of given contracts only, or a recommendation where a range is too large: a search of a single block decides. */
const requiredAddress =
  /(?:specify|provide|include|require\w*|missing|without|must (?:have|contain|set)).{0,40}(?<!\bip )address|(?<!\bip )address.{0,40}(?:required|must|missing|specified|mandatory)/i
/** A batch has too many requests, or none is accepted, such as "batch limit 100 exceeded: 142 requests given". */
const excess = 'too (?:large|big|many)|exceed|limit|max|more than'
const unsupported = 'not (?:supported|allowed|accepted|enabled|permitted)|unsupported|disabled'
const batchLimit = new RegExp(
  `batch.{0,60}(?:${excess}|${unsupported})|(?:${excess}|${unsupported}).{0,60}batch`,
  'i',
)
/** The batch may succeed later, or with smaller results. */
const batchFailure =
  /\brates?\b|second|minute|\bda(?:y|ily)\b|quota|credit|capacity|throttl|deadline|time.?out|timed out|retr(?:y|ies)|temporar|unavailable|overload|response/i
/** Too many requests, with whatever code. */
const rateLimit = /rate.?limit|too many requests|request limit reached|requests? per second/i
/** The code of rate limits has a message about the request itself. */
const requestLimit = /results|block range/i
/** A message of `eth_getLogs` that is about the request itself, too, unless it is about the number of requests. */
const logsLimit = /limit exceeded/i
const requestRate = /\brates?\b|requests?\b|second|minute|\bda(?:y|ily)|quota|credit|capacity/i
/** The node limits the number of results, and not the range. */
const resultLimit =
  /results|response size|logs? (?:exceed|limit)|more than \d+ logs|in the response/i
/** Numbers that do not limit anything: of blocks in hexadecimal, suggested ranges such as "100-200", and codes of errors. */
const noCounts = /0x[\da-f]+|\d+-\d+|\bcode\W{0,3}-?\d+/gi
const count = String.raw`(?<![\w.])(\d{1,3}(?:[, ]\d{3})+|\d{1,7})(k?)\b`
/** Such as "up to a 2K block range", "limited to a 10,000 range", "exceed maximum block range: 5000". */
const blockCount = new RegExp(
  `${count}[ -]*(?:blocks?|range)\\b|(?:range|distance|blocks?|limit of)(?: is| limit| of| to|:)* ${count}`,
  'gi',
)
/** Such as "more than 10000 results", "a cap of 10K logs", "max results 20000". */
const resultCount = new RegExp(
  `${count} (?:results|logs|events|entries)\\b|(?:results|logs|events|entries)(?: is| limit| of| to|:)* ${count}`,
  'gi',
)
/** A smaller number of results has another meaning. */
const minResults = 100

export function isMissingState(message: string): boolean {
  return missingState.test(message)
}

export function isMissingBlock(message: string): boolean {
  return missingBlock.test(message)
}

/** Whether a contract failed the call, and not the node. */
export function isFailedExecution(message: string): boolean {
  const start = message.search(failedExecution)
  // A contract chooses the text that follows, such as "header not found".
  return start >= 0 && !isMissingBlock(message.slice(0, start))
}

export function mayRequireAddress(message: string): boolean {
  return requiredAddress.test(message)
}

/** Whether a node rejects a batch as such, rather than one of its requests: smaller ones may succeed. */
export function isBatchFailure(message: string): boolean {
  return /batch/i.test(message)
}

/** Whether a node rejects all batches of this size. */
export function isBatchLimit(message: unknown): boolean {
  return typeof message === 'string' && batchLimit.test(message) && !batchFailure.test(message)
}

/** Whether a node rejects a request because of the number of requests before. */
export function isRateLimit(message: string): boolean {
  return rateLimit.test(message)
}

/** Whether an error with the code of rate limits (-32005) concerns the size of the request: a smaller one may succeed. */
export function isRequestLimit(method: string, message: string): boolean {
  const isOfLogs = method === 'eth_getLogs' && logsLimit.test(message) && !requestRate.test(message)
  return requestLimit.test(message) || isOfLogs
}

/** Whether the logs of a request are too many, rather than its blocks. */
export function isResultLimit(message: string): boolean {
  return resultLimit.test(message)
}

/** The numbers that a message about too many logs states. */
export interface StatedLimits {
  readonly results: number | undefined
  /** The possible ones of blocks: limits, or what was requested. */
  readonly blocks: readonly number[]
}

export function findLimits(message: string): StatedLimits {
  const results = findCounts(message, resultCount).find((stated) => stated >= minResults)
  const isOfResults = results !== undefined || isResultLimit(message)
  return { results, blocks: isOfResults ? [] : findCounts(message, blockCount) }
}

/** The numbers in a message that a pattern finds. */
function findCounts(message: string, pattern: RegExp): number[] {
  return [...message.replaceAll(noCounts, ' ').matchAll(pattern)].map((match) => {
    const [digits = '', thousand] = match.slice(1).filter((group) => group !== undefined)
    return Number(digits.replaceAll(/[, ]/g, '')) * (thousand ? 1_000 : 1)
  })
}
