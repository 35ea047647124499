import { expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { FakeNodeError, startFakeNode } from '../../../test/startFakeNode.ts'
import type { ContractSource } from '../../metadata/callContracts.ts'
import { encodeCall } from '../../pricing/venues/calls.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Call, CallResult } from '../../rpc/methods/Call.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import { PoolReader } from './PoolReader.ts'

const contract = `0x${'1'.repeat(40)}`
const balance = encodeCall(contract, 'balances(uint256)', [0])

/** A node that executes calls as `execute` does, and records the blocks and sizes of its requests. */
function createReader(execute: (block: number) => CallResult) {
  const requests: (readonly [block: number, calls: number])[] = []
  const multicall: ContractSource['multicall'] = async (calls: readonly Call[], { number }) => {
    requests.push([number, calls.length])
    return calls.map(() => execute(number))
  }
  const reader = new PoolReader({ multicall }, { retryDelayMs: 0 })
  const read = (...blocks: (readonly [number: number, isPrunable: boolean])[]) =>
    reader.read(
      blocks.map(([number, isPrunable]) => ({
        block: { number, hash: `0x${number}` },
        isPrunable,
        run: async (call) => (await call([balance]))[0],
      })),
    )
  return { read, requests }
}

/** Reads from a node that has the state, but rejects calls of the contract, alone and together with others. */
async function createReaderOfNode(message: string) {
  const server = await startFakeNode(new FakeChain())
  onTestFinished(() => server.close())
  server.transformResult = (method, [call], result) => {
    const { to } = call as { to?: string }
    if (method === 'eth_call' && (to === contract || to === undefined)) {
      throw new FakeNodeError(-32000, message)
    }
    return method === 'eth_call' ? '0x' : result
  }
  return new PoolReader(new ChainNode([server.url], { retryDelayMs: 0 }), { retryDelayMs: 0 })
}

const failed = (message: string, retryable: boolean): CallResult => ({
  status: 'failed',
  error: new NodeError(message, { kind: 'rejected', retryable }),
})

it('requests the concurrent calls of a block together, and reports reverts as empty', async () => {
  const { read, requests } = createReader((block) =>
    block === 5 ? { status: 'reverted' } : { status: 'success', data: '0x7' },
  )
  expect(await read([4, true], [5, true], [4, true])).toEqual(['0x7', '0x', '0x7'])
  expect(requests).toEqual([
    [4, 2],
    [5, 1],
  ])
})

it('does not request states after several blocks in a row without, and reads later ones again', async () => {
  const { read, requests } = createReader((block) =>
    block < 200 ? failed('missing trie node', false) : { status: 'success', data: '0x7' },
  )
  expect(await read([100, true])).toEqual([undefined])
  expect(await read([101, true])).toEqual([undefined])
  expect(await read([102, true])).toEqual([undefined])
  expect(await read([103, true], [165, true])).toEqual([undefined, undefined])
  expect(await read([170, true], [250, true])).toEqual([undefined, '0x7'])
  expect(requests.map(([block]) => block)).toEqual([100, 101, 102, 170, 250])
})

it('reads the next block after one without state', async () => {
  const { read } = createReader((block) =>
    block % 2 === 0 ? failed('missing trie node', false) : { status: 'success', data: '0x7' },
  )
  for (let block = 100; block < 110; block += 2) {
    expect(await read([block, true])).toEqual([undefined])
    expect(await read([block + 1, true])).toEqual(['0x7'])
  }
})

it('fails where a retry may succeed, and for blocks whose state the nodes must have', async () => {
  const busy = createReader(() => failed('internal error', true))
  await expect(busy.read([100, true])).rejects.toThrow('internal error')
  const pruned = createReader(() => failed('missing trie node', false))
  await expect(pruned.read([100, false])).rejects.toThrow('missing trie node')
  const named = createReader(() => failed('state is pruned', true))
  expect(await named.read([100, true])).toEqual([undefined])
})

it('requests blocks again that a node rejects for another reason, and continues without them', async () => {
  let failures = 2
  const internal = failed('internal error', false)
  const recovering = createReader(() =>
    failures-- > 0 ? internal : { status: 'success', data: '0x7' },
  )
  expect(await recovering.read([100, true])).toEqual(['0x7'])
  const failing = createReader((block) => {
    return block === 100 ? internal : { status: 'success', data: '0x7' }
  })
  expect(await failing.read([100, true], [101, true])).toEqual([undefined, '0x7'])
  await expect(failing.read([100, false])).rejects.toThrow('internal error')
})

it.each([true, false])(
  'reports as empty what only its contract fails (prunable: %s)',
  async (isPrunable) => {
    const reader = await createReaderOfNode('execution aborted (timeout = 5s)')
    for (const number of [100, 101, 102, 103]) {
      const [result] = await reader.read([
        {
          block: { number, hash: `0x${String(number).padStart(64, '0')}` },
          isPrunable,
          run: async (call) => await call([balance, balance]),
        },
      ])
      expect(result).toEqual(['0x', '0x'])
    }
  },
)
