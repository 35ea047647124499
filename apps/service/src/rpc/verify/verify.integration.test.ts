import { RLP } from '@ethereumjs/rlp'
import { type Hex, padHex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bytesToHex, concatHex, numberToHex, sha256 } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { startAnvil } from '../../../test/startAnvil.ts'
import { keccak256 } from './rlp.ts'
import { verifyBalance } from './verifyBalance.ts'
import { verifyHeader } from './verifyHeader.ts'
import { verifyReceipts } from './verifyReceipts.ts'

interface Block extends Record<string, unknown> {
  readonly hash: Hex
  readonly stateRoot: Hex
  readonly receiptsRoot: Hex
}
interface Receipt extends Record<string, unknown> {
  readonly type: Hex
  readonly logs: readonly { readonly topics: readonly Hex[]; readonly data: Hex }[]
}

const keys: Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
]
const [alice, bob] = keys.map((key) => privateKeyToAccount(key)) as [Account, Account]
type Account = ReturnType<typeof privateKeyToAccount>

/** Emits a log with two topics and 32 bytes of data: LOG2(0, 32, 0xbb, 0xaa). */
const emitter: Hex = '0x00000000000000000000000000000000000e317e'
const emitterCode = '0x60aa60bb60206000a200'
/** The commitment to a blob of zeros, and its proof, are points at infinity. */
const infinity: Hex = `0xc0${'0'.repeat(94)}`

type Node = Awaited<ReturnType<typeof startAnvil>>

async function readBlock(node: Node, number: number) {
  const tag = numberToHex(number)
  const block = await node.call<Block>('eth_getBlockByNumber', tag, false)
  return { number, block, receipts: await node.call<Receipt[]>('eth_getBlockReceipts', tag) }
}

/** Mines a block with a transaction of each type, and many more of one. */
async function mineAllTypes(node: Node): Promise<void> {
  await node.call('anvil_setCode', emitter, emitterCode)
  const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n }
  const call = { to: emitter, gas: 100_000n, data: '0x' } as const
  const commitment = sha256(infinity)
  const authorization = await bob.signAuthorization({ address: emitter, chainId: 31337, nonce: 0 })
  const transactions = [
    { ...call, type: 'legacy', gasPrice: parseGwei('10') },
    {
      ...call,
      type: 'eip2930',
      gasPrice: parseGwei('10'),
      accessList: [{ address: emitter, storageKeys: [padHex('0x1')] }],
    },
    { ...call, ...fees, type: 'eip1559' },
    {
      ...call,
      ...fees,
      type: 'eip4844',
      maxFeePerBlobGas: parseGwei('10'),
      blobVersionedHashes: [`0x01${commitment.slice(4)}`],
      sidecars: [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }],
    },
    { ...call, ...fees, type: 'eip7702', authorizationList: [authorization] },
    // Reverts for lack of gas.
    { ...call, ...fees, type: 'eip1559', gas: 21_100n },
  ] as const
  for (const [nonce, transaction] of transactions.entries()) {
    // The types of viem's transactions are a union that an array of all of them does not satisfy.
    const serialized = await alice.signTransaction({
      ...transaction,
      nonce,
      chainId: 31337,
    } as Parameters<Account['signTransaction']>[0])
    await node.call('eth_sendRawTransaction', serialized)
  }
  const [, , carol] = await node.call<Hex[]>('eth_accounts')
  const request = { from: carol, to: emitter, gas: numberToHex(call.gas) }
  const more = Array.from({ length: 140 }, (_, nonce) =>
    node.call('eth_sendTransaction', { ...request, nonce: numberToHex(nonce) }),
  )
  await Promise.all(more)
  await node.call('evm_mine')
}

describe('blocks with transactions of every type', () => {
  it('match their receipts, and no others', async () => {
    const node = await startAnvil('--hardfork', 'prague', '--no-mining', '--order', 'fifo')
    await mineAllTypes(node)
    const { number, block, receipts } = await readBlock(node, 1)
    expect(new Set(receipts.map(({ type }) => type))).toEqual(
      new Set(['0x0', '0x1', '0x2', '0x3', '0x4']),
    )
    expect(receipts).toHaveLength(146)
    expect(verifyHeader(block)).toBe('valid')
    const verify = (changed: readonly Record<string, unknown>[]) =>
      verifyReceipts(changed, { ...block, number })
    expect(verify(receipts)).toBe('valid')

    const change = (index: number, fields: Record<string, unknown>) =>
      receipts.map((receipt, at) => (at === index ? { ...receipt, ...fields } : receipt))
    const log = receipts[3]?.logs[0]
    expect(log).toBeDefined()
    const invalid = {
      'a log is missing': change(3, { logs: [] }),
      'a log is twice': change(3, { logs: [log, log] }),
      'other data': change(3, { logs: [{ ...log, data: padHex('0x1') }] }),
      'other topics': change(3, { logs: [{ ...log, topics: log?.topics.toReversed() }] }),
      'another contract': change(3, { logs: [{ ...log, address: alice.address }] }),
      'another status': change(5, { status: '0x1' }),
      'another type': change(2, { type: '0x1' }),
      'other gas': change(2, { cumulativeGasUsed: '0x1' }),
      'a receipt is missing': receipts.slice(0, -1),
      'another order': receipts.toReversed(),
    }
    for (const [name, changed] of Object.entries(invalid)) {
      expect([name, verify(changed)]).toEqual([name, 'invalid'])
    }
    expect(verify(change(2, { type: '0x64' }))).toBe('unsupported')
    expect(verify(change(2, { logsBloom: undefined }))).toBe('unsupported')
    expect(verify(change(2, { status: null }))).toBe('unsupported')

    const key = `${Buffer.from('matic-bor-receipt-').toString('hex')}${'1'.padStart(16, '0')}`
    const stateSync = {
      ...receipts[0],
      transactionIndex: numberToHex(receipts.length),
      transactionHash: keccak256(key + block.hash.slice(2)),
    }
    expect(verify([...receipts, stateSync])).toBe('valid')
    expect(verify([...receipts, { ...stateSync, transactionHash: block.hash }])).toBe('invalid')
  })

  it('match the receipts of deposits of the OP stack', async () => {
    const node = await startAnvil('--network', 'optimism', '--no-mining')
    await node.call('anvil_setCode', emitter, emitterCode)
    const deposit = RLP.encode([
      padHex('0x11'),
      ...[alice.address, emitter, '0x05', '0x05', '0x0186a0', '0x', '0x'],
    ])
    await node.call('eth_sendRawTransaction', concatHex(['0x7e', bytesToHex(deposit)]))
    await node.call('evm_mine')
    const { number, block, receipts } = await readBlock(node, 1)
    expect(receipts).toMatchObject([
      { type: '0x7E', logs: [{}], depositNonce: '0x1', depositReceiptVersion: '0x1' },
    ])
    expect(verifyReceipts(receipts, { ...block, number })).toBe('valid')
    const changed = receipts.map((receipt) => ({ ...receipt, depositNonce: '0x2' }))
    expect(verifyReceipts(changed, { ...block, number })).toBe('invalid')
  })
})

const hardforks = ['frontier', 'byzantium', 'berlin', 'london', 'paris', 'shanghai', 'cancun']

describe('headers', () => {
  it.each([...hardforks, 'prague', 'osaka'])('match their hash after %s', async (hardfork) => {
    const node = await startAnvil('--hardfork', hardfork, '--no-mining')
    await node.call('evm_mine')
    const { block } = await readBlock(node, 1)
    expect(verifyHeader(block)).toBe('valid')
    for (const [name, value] of Object.entries(block)) {
      const isCommitted = !['size', 'totalDifficulty', 'uncles', 'transactions'].includes(name)
      if (isCommitted && typeof value === 'string') {
        const changed = { ...block, [name]: `${value}01` }
        expect([name, verifyHeader(changed)]).toEqual([name, 'invalid'])
      }
    }
    // Nitro returns fields that its headers contain in others; other chains hash theirs.
    expect(verifyHeader({ ...block, l1BlockNumber: '0x1' })).toBe('valid')
    const other = { ...block, extraData: '0x1234' }
    expect(verifyHeader({ ...other, l1BlockNumber: '0x1' })).toBe('unsupported')
    expect(verifyHeader({ ...block, stateRoot: undefined })).toBe('unsupported')
  })
})

describe('native balances', () => {
  it('match the proof of their account, and no others', async () => {
    const node = await startAnvil('--no-mining')
    await node.call('evm_mine')
    const { block } = await readBlock(node, 1)
    const { stateRoot } = block
    const prove = async (address: Hex) =>
      await node.call<{ accountProof: Hex[]; balance: Hex }>('eth_getProof', address, [], '0x1')
    const { accountProof, balance } = await prove(alice.address)
    const state = { address: alice.address, balance: BigInt(balance), stateRoot }
    expect(state.balance).toBeGreaterThan(0n)
    expect(await verifyBalance(accountProof, state)).toBe('valid')
    expect(await verifyBalance(accountProof, { ...state, balance: 0n })).toBe('invalid')
    expect(await verifyBalance(accountProof, { ...state, address: bob.address })).toBe('invalid')
    expect(await verifyBalance(accountProof, { ...state, stateRoot: block.hash })).toBe(
      'other_state',
    )
    expect(await verifyBalance(accountProof.slice(0, -1), state)).toBe('invalid')
    expect(await verifyBalance([], state)).toBe('other_state')

    const absent = { address: emitter, balance: 0n, stateRoot }
    const proof = (await prove(emitter)).accountProof
    expect(await verifyBalance(proof, absent)).toBe('valid')
    expect(await verifyBalance(proof, { ...absent, balance: 1n })).toBe('invalid')

    await node.call('anvil_setBalance', bob.address, '0x0')
    await node.call('anvil_setNonce', bob.address, '0x7')
    await node.call('evm_mine')
    const spent = await node.call<{ accountProof: Hex[] }>('eth_getProof', bob.address, [], '0x2')
    const after = { address: bob.address, stateRoot: (await readBlock(node, 2)).block.stateRoot }
    expect(await verifyBalance(spent.accountProof, { ...after, balance: 0n })).toBe('valid')
    expect(await verifyBalance(spent.accountProof, { ...after, balance: 1n })).toBe('invalid')
  })
})
