/*
 * Verifies the header hashes, receipts roots and account proofs of every block that the repository
 * ethereum/execution-apis contains, in `tools/chain` and `tests`:
 *
 *   node --conditions=@headwater/source test/verifyExecutionApis.ts <git directory of a clone>
 */
import { execFileSync } from 'node:child_process'
import { type NestedUint8Array, RLP } from '@ethereumjs/rlp'
import { bytesToHex } from 'viem/utils'
import { computeListRoot } from '../src/rpc/verify/computeListRoot.ts'
import { verifyBalance } from '../src/rpc/verify/verifyBalance.ts'
import { verifyHeader } from '../src/rpc/verify/verifyHeader.ts'
import { verifyReceipts } from '../src/rpc/verify/verifyReceipts.ts'

type Fields = Record<string, unknown>

const [gitFolder] = process.argv.slice(2)
if (!gitFolder) {
  throw new Error('Pass the git directory of a clone of ethereum/execution-apis')
}
const git = (...args: string[]) =>
  execFileSync('git', ['--git-dir', gitFolder, ...args], { maxBuffer: 2 ** 28 })
const readJson = (path: string) => JSON.parse(git('show', `HEAD:${path}`).toString()) as Fields

/** The order of the encoded fields, and the forks of the chain by their first block or timestamp. */
const names = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'],
  ...['logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData'],
  ...['mixHash', 'nonce', 'baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas'],
  ...['parentBeaconBlockRoot', 'requestsHash', 'blockAccessListHash', 'slotNumber'],
]
const forks = Object.entries(readJson('tools/chain/forkenv.json'))
  .filter(([name]) => /^HIVE_(FORK_|MERGE_BLOCK|\w+_TIMESTAMP)/.test(name))
  .map(([name, at]) => ({
    name: name.replace(/^HIVE_(FORK_)?|_(TIMESTAMP|BLOCK_ID)$/g, '').toLowerCase(),
    field: name.endsWith('_TIMESTAMP') ? 'timestamp' : 'number',
    at: Number(at),
  }))

const counts = new Map<string, { agree: number; differ: string[] }>()
function count(what: string, agrees: boolean, where: string): void {
  const entry = counts.get(what) ?? { agree: 0, differ: [] }
  counts.set(what, entry)
  if (agrees) {
    entry.agree++
  } else {
    entry.differ.push(where)
  }
}

/** The blocks of `chain.rlp`, whose hashes are the next block's parent hash and that of the head. */
function readChain(): Fields[] {
  const bytes = new Uint8Array(git('show', 'HEAD:tools/chain/chain.rlp'))
  const blocks: Fields[] = []
  for (let rest = bytes; rest.length > 0;) {
    const { data, remainder } = RLP.decode(rest, true)
    const header = (data as NestedUint8Array)[0] as Uint8Array[]
    blocks.push(Object.fromEntries(header.map((item, index) => [names[index], bytesToHex(item)])))
    rest = remainder as typeof bytes
  }
  const head = (readJson('tools/chain/headfcu.json')['params'] as Fields[])[0]
  for (const [index, block] of blocks.entries()) {
    block['hash'] = blocks[index + 1]?.['parentHash'] ?? head?.['headBlockHash']
  }
  return blocks
}

const usedForks = new Set<string>()
const blocks = readChain()
for (const block of blocks) {
  const number = Number(block['number'])
  count('headers of tools/chain', verifyHeader(block) === 'valid', `block ${number}`)
  for (const { name, field, at } of forks) {
    if (Number(block[field]) >= at) {
      usedForks.add(name)
    }
  }
}

const byNumber = new Map(blocks.map((block) => [Number(block['number']), block]))
const types = new Set<string>()

/** Calls `visit` with each object in a value. */
function walk(value: unknown, visit: (object: Fields) => void): void {
  if (typeof value !== 'object' || !value) {
    return
  }
  if (!Array.isArray(value)) {
    visit(value as Fields)
  }
  for (const child of Object.values(value)) {
    walk(child, visit)
  }
}

const paths = git('ls-tree', '-r', '--name-only', 'HEAD', 'tests').toString().split('\n')
// The logs contain no block; one of these files is too large for some mirrors.
const isRelevant = (path: string) => path.endsWith('.io') && !path.includes('/eth_getLogs/')
for (const path of paths.filter(isRelevant)) {
  const lines = git('show', `HEAD:${path}`).toString().split('\n')
  const requests = lines.filter((line) => line.startsWith('>> '))
  const responses = lines.filter((line) => line.startsWith('<< '))
  for (const [index, response] of responses.entries()) {
    const { result } = JSON.parse(response.slice(3)) as Fields
    const { method } = JSON.parse(requests[index]?.slice(3) ?? '{}') as Fields
    walk(result, (object) => {
      if ('parentHash' in object && 'hash' in object) {
        count(`headers of tests/${String(method)}`, verifyHeader(object) === 'valid', path)
      }
    })
    if (method === 'eth_getBlockReceipts' && Array.isArray(result) && result.length > 0) {
      const receipts = result as Fields[]
      const block = byNumber.get(Number(receipts[0]?.['blockNumber']))
      const { hash, receiptsRoot } = block as { hash: string; receiptsRoot: string }
      const verdict = verifyReceipts(receipts, { number: 0, hash, receiptsRoot })
      count('receipts of tests/eth_getBlockReceipts', verdict === 'valid', path)
      for (const { type } of receipts) {
        types.add(String(type))
      }
    }
    if (method === 'debug_getRawReceipts' && Array.isArray(result) && result.length > 0) {
      const { params } = JSON.parse(requests[index]?.slice(3) ?? '{}') as { params: string[] }
      const root = byNumber.get(Number(params[0]))?.['receiptsRoot']
      count(`receipts of tests/${method}`, computeListRoot(result as string[]) === root, path)
    }
    if (method === 'eth_getProof' && result) {
      const { address, balance, accountProof } = result as Record<string, string> & Fields
      const proof = accountProof as unknown as string[]
      const roots = blocks.map((block) => String(block['stateRoot']))
      const state = { address: String(address), balance: BigInt(String(balance)) }
      const verified = await Promise.all(
        roots.map((stateRoot) => verifyBalance(proof, { ...state, stateRoot })),
      )
      count('balances of tests/eth_getProof', verified.includes('valid'), path)
    }
  }
}

for (const [what, { agree, differ }] of counts) {
  console.log(`${what}: ${agree} of ${agree + differ.length} agree`)
  for (const where of differ) {
    console.log(`  differs: ${where}`)
  }
}
console.log(`forks: ${[...usedForks].join(', ')}`)
console.log(`types of receipts: ${[...types].sort().join(', ')}`)
