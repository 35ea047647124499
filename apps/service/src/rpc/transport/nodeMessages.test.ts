import { describe, expect, it } from 'vitest'
import {
  findLimits,
  isBatchLimit,
  isFailedExecution,
  isMissingBlock,
  isMissingState,
  isRequestLimit,
  mayRequireAddress,
} from './nodeMessages.ts'

describe('isMissingState', () => {
  it.each([
    'missing trie node 4a1f (path ) state 0x4a1f is not available',
    'required historical state unavailable (reexec=128)',
    'state at block #21000000 is pruned',
    'No state available for block 0x1406f40',
    'old data not available due to pruning',
    'distance to target block exceeds maximum proof window',
    'Archive requests require a paid plan',
  ])('recognizes %j', (message) => {
    expect(isMissingState(message)).toBe(true)
  })

  it.each(['execution reverted: invalid state', 'header not found', 'out of gas'])(
    'does not recognize %j',
    (message) => {
      expect(isMissingState(message)).toBe(false)
    },
  )
})

describe('mayRequireAddress', () => {
  it.each([
    'Please specify an address in your request or, to remove restrictions, order a dedicated node',
    'eth_getLogs requires an address filter',
    'address is required',
  ])('recognizes %j', (message) => {
    expect(mayRequireAddress(message)).toBe(true)
  })

  it.each([
    'query returned more than 10000 results',
    'block range is too large',
    'Too many requests from this IP address, API key required',
    'Your IP address must be whitelisted',
  ])('does not recognize %j', (message) => {
    expect(mayRequireAddress(message)).toBe(false)
  })
})

describe('isBatchLimit', () => {
  it.each([
    'batch too large',
    'batch limit 100 exceeded: 142 requests given',
    'Batch size limit exceeded',
    'Number of requests in batch exceeds --rpc-max-batch-size.',
    'The batch request was too large',
    'Batched requests are not supported by this server',
    'Exceeded maximum batch size 30',
    'Batch of more than 3 requests are not allowed on free plan',
    'Too many requests in batch',
  ])('recognizes %j', (message) => {
    expect(isBatchLimit(message)).toBe(true)
  })

  it.each([
    'failed to process batch: upstream timeout',
    'batch request failed: context deadline exceeded',
    'rate limit exceeded for batch requests',
    'batch exceeds the compute units per second capacity',
    'The batch response was too large',
    'limit exceeded',
  ])('does not recognize %j', (message) => {
    expect(isBatchLimit(message)).toBe(false)
  })
})

describe('isMissingBlock', () => {
  it.each([
    'header not found',
    'header for hash not found',
    'unknown block',
    'Unknown block number',
    'block not found: 0x1406f40',
    'Block with hash 0x7d5a3a7f was not found',
    'hash 0x7d5a3a7f is not currently canonical; block is not canonical',
    'block range extends beyond current head block',
    'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found: unknown block',
    'eth_getLogs: fromBlock is in the future of the latest block range',
  ])('recognizes %j', (message) => {
    expect(isMissingBlock(message)).toBe(true)
  })

  it.each([
    'missing trie node 4a1f (path ) state 0x4a1f is not available',
    'block range is too wide',
    'execution reverted: not found',
    'the method eth_getBlockReceipts does not exist/is not available',
    'query returned more than 10000 results in this block range',
  ])('does not recognize %j', (message) => {
    expect(isMissingBlock(message)).toBe(false)
  })
})

describe('isFailedExecution', () => {
  it.each([
    'execution reverted',
    'execution reverted: header not found',
    'Execution reverted: unknown block',
    'VM execution error.',
    'VM Exception while processing transaction: reverted with reason string "latest block"',
    'err: execution reverted: beyond the head (supplied gas 50000000)',
    'invalid opcode: INVALID',
    'invalid jump destination',
    'stack underflow (0 <=> 1)',
    'stack limit reached 1024 (1023)',
    'out of gas',
    'gas uint64 overflow',
    'return data out of bounds',
    'write protection',
    'max call depth exceeded',
    'EVM error InvalidFEOpcode',
    'EVM error: InvalidJump',
    'EVM error: OpcodeNotFound',
    'EVM error: OutOfGas(Basic)',
    'EVM error InvalidOperandOOG',
    'EVM error: OutOfOffset',
    'EVM error StackUnderflow',
    'EVM error: StateChangeDuringStaticCall',
    'EVM error: PrecompileError',
  ])('recognizes %j', (message) => {
    expect(isFailedExecution(message)).toBe(true)
  })

  it.each([
    'header not found',
    'unknown block: it was reverted',
    'missing trie node 4a1f (path ) state 0x4a1f is not available',
    'execution aborted (timeout = 5s)',
    'EVM error FatalExternalError',
    'internal error',
    'the method eth_call does not exist/is not available',
  ])('does not recognize %j', (message) => {
    expect(isFailedExecution(message)).toBe(false)
  })
})

it.each([
  ['eth_getLogs', 'limit exceeded', true],
  ['eth_getLogs', 'query returned more than 10000 results', true],
  ['eth_getLogs', 'daily request count exceeded, request rate limited', false],
  ['eth_getLogs', 'project ID request rate exceeded', false],
  ['eth_getLogs', 'request limit exceeded', false],
  ['eth_getLogs', 'not for this plan', false],
  ['eth_call', 'limit exceeded', false],
])('knows whether the request of %s is too large: %j', (method, message, isTooLarge) => {
  expect(isRequestLimit(method, message)).toBe(isTooLarge)
})

it.each([
  ['eth_getLogs is limited to a 2,000 range', [2_000]],
  ['You can make eth_getLogs requests with up to a 2K block range', [2_000]],
  ['exceed maximum block range: 5000', [5_000]],
  ['Block range too large: maximum 10 blocks distance', [10]],
  ['query exceeds max block range 1024', [1_024]],
  ['the range exceeds the limit of 10 000 blocks', [10_000]],
  ['block range is too wide, maximum allowed is 2000 blocks; narrow it', [2_000]],
  ['range 9999 is bigger than range limit 2000', [9_999, 2_000]],
  ['range 10000 exceeds limit of 2000', [10_000, 2_000]],
  ['block range is too wide', []],
  ['requested range [0x1234, 0x5678] is too large', []],
  ['Block range too large. Try with this block range [0x112a8a5, 0x112a9c0].', []],
  ['range limit exceeded (code 35)', []],
  ['range too large, retry with the range 100-200', []],
])('finds the numbers of blocks in %j', (message, blocks) => {
  expect(findLimits(message)).toEqual({ results: undefined, blocks })
})

it.each([
  ['query returned more than 10000 results in this block range', 10_000],
  ['query exceeds max results 20000, retry with the range 100-200', 20_000],
  [
    'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response',
    10_000,
  ],
])('finds the number of results in %j', (message, results) => {
  expect(findLimits(message)).toEqual({ results, blocks: [] })
})
