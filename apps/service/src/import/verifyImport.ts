import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { toBlob } from '../facts/factTables.ts'
import { getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import { createScope } from '../indexing/decode/Scope.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import {
  balanceOfCall,
  type Call,
  decodeWord,
  itemBalanceCall,
  ownerOfCall,
  totalSupplyCall,
} from '../rpc/methods/Call.ts'
import type { ImportedBlock } from './checkImport.ts'
import { LogReplay } from './LogReplay.ts'

/** Blocks whose hashes are compared with the nodes'. */
const sampledBlocks = 50
/** Tokens whose totals are compared with their supplies: the ones with most holders, and others. */
const sampledSupplies = 40

/** An amount or an owner of an import, and how the chain shows it. */
interface Sample {
  readonly text: string
  readonly expected: bigint
  readonly call: Call
  /** What a revert means, as of the owner of a burned token; undefined for nothing. */
  readonly reverted?: bigint
  /** From the logs of the contract. */
  readonly replay: (logs: LogReplay) => Promise<bigint>
}

interface VerifyOptions {
  readonly duckDb: DuckDb
  readonly chain: ChainConfig
  readonly node: ChainNode
  readonly block: ImportedBlock
  /** How many amounts of each kind are compared. */
  readonly count: number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export interface Verification {
  /** Amounts that were compared, and those that a contract returned as in the import. */
  readonly compared: number
  readonly equal: number
  /** Amounts that a contract does not return, but that follow from its logs. */
  readonly fromLogs: number
  /** What differs from the chain, a line each. */
  readonly differences: readonly string[]
}

/**
 * Compares a random sample of an import with the nodes, at its last block: hashes of blocks, balances, owners, and the
 * totals of tokens. An amount that a contract does not return is derived from the logs of the contract instead, since
 * the ledger is the sum of its logs: the audit finds such tokens later.
 *
 * @throws {NodeError} when the nodes do not respond.
 */
export async function verifyImport(options: VerifyOptions): Promise<Verification> {
  const { node, chain, block, signal, onProgress } = options
  const differences = await compareBlocks(options)
  if (differences.length > 0) {
    return { compared: 0, equal: 0, fromLogs: 0, differences }
  }
  const samples = await selectSamples(options)
  onProgress(`comparing ${samples.length} amounts with the nodes at block ${block.number}`)
  const head = await node.getHead(signal)
  const results = await node.multicall(
    samples.map(({ call }) => call),
    block,
    { signal, aggregatedBytes: 32, depth: Math.max(0, head.number - block.number) },
  )
  const unequal = samples.flatMap((sample, index) => {
    const result = results[index]
    const byCall = result?.status === 'reverted' ? sample.reverted : decodeWord(result)
    return byCall === sample.expected ? [] : [{ ...sample, byCall }]
  })
  const logs = new LogReplay({
    ...{ node, block, signal, startBlock: chain.startBlock },
    scope: createScope(chain),
  })
  let fromLogs = 0
  for (const [index, { text, expected, byCall, replay }] of unequal.entries()) {
    onProgress(
      `reading the logs of amount ${index + 1} of ${unequal.length} that a call does not return`,
    )
    const replayed = await replay(logs)
    if (replayed === expected) {
      fromLogs++
    } else {
      differences.push(
        `${text}: ${expected} in the import, ${replayed} by its logs, ${byCall ?? 'nothing'} by a call`,
      )
    }
  }
  return { compared: samples.length, equal: samples.length - unequal.length, fromLogs, differences }
}

async function compareBlocks({
  duckDb,
  node,
  block,
  signal,
  onProgress,
}: VerifyOptions): Promise<string[]> {
  onProgress('comparing hashes of blocks with the nodes')
  const rows = await duckDb.query<{ number: bigint; hash: string; time: bigint }>(
    `select number, '0x' || lower(hex(hash)) as hash, time from (
      select * from blocks using sample reservoir(${sampledBlocks} rows)
      union select * from blocks where number = ${block.number}
    )`,
    signal,
  )
  const headers = await Promise.all(
    rows.map(({ number }) => node.getHeader(Number(number), signal)),
  )
  return rows.flatMap(({ number, hash, time }, index) => {
    const header = headers[index]
    return header?.hash === hash && header.time === Number(time)
      ? []
      : [
          `block ${number}: ${hash} at ${time} in the import, ${header ? `${header.hash} at ${header.time}` : 'none'} of the nodes`,
        ]
  })
}

async function selectSamples({ duckDb, chain, count, signal }: VerifyOptions): Promise<Sample[]> {
  const query = <Row>(text: string) => duckDb.query<Row>(text, signal)
  const hex = (column: string) => `'0x' || lower(hex(${column})) as ${column}`
  // Transfers of these collections have other events.
  const legacy = [
    "''::blob",
    ...chain.legacyCollections.map(({ address }) => toBlob(address)),
  ].join()
  // Its supply is a balance, which anyone can increase.
  const wrapped = toBlob(chain.wrappedNative ?? '0x')
  const reservoir = (rows: number) => `using sample reservoir(${rows} rows)`
  const balances = await query<{ contract: string; holder: string; amount: string }>(
    `select ${hex('contract')}, ${hex('holder')}, amount from (
      select * from imported_balances where standard = 20
    ) ${reservoir(count)}`,
  )
  const owners = await query<{ contract: string; token_id: string; owner: string }>(
    `select ${hex('contract')}, token_id, ${hex('owner')} from (
      select * from imported_collectibles where owner is not null and contract not in (${legacy})
    ) ${reservoir(count)}`,
  )
  const items = await query<{ contract: string; token_id: string; holder: string; amount: string }>(
    `select ${hex('contract')}, token_id, ${hex('holder')}, amount from (
      select held.* from imported_collectible_balances held
      join imported_collectibles using (contract, token_id) where owner is null
    ) ${reservoir(count)}`,
  )
  const supplies = await query<{ contract: string; amount: string }>(
    `with totals as (
      select contract, sum(amount::bignum)::varchar as amount, count(*) as holders
      from imported_balances where standard = 20 and contract <> ${wrapped} group by contract
    )
    select ${hex('contract')}, amount from (
      (select * from totals order by holders desc limit ${sampledSupplies / 2})
      union (select * from totals ${reservoir(sampledSupplies / 2)})
    )`,
  )
  const ownerFunctions = getOwnerFunctions(chain.legacyCollections)
  return [
    ...balances.map(({ contract, holder, amount }) => ({
      text: `balance of ${holder} in ${contract}`,
      expected: BigInt(amount),
      call: balanceOfCall(contract, holder),
      replay: (logs: LogReplay) => logs.getBalance(contract, holder),
    })),
    ...owners.map(({ contract, token_id: id, owner }) => ({
      text: `owner of ${id} in ${contract}`,
      expected: BigInt(owner),
      call: ownerOfCall(contract, BigInt(id), ownerFunctions.get(contract)),
      reverted: 0n,
      replay: async (logs: LogReplay) => BigInt((await logs.getOwner(contract, BigInt(id))) ?? -1),
    })),
    ...items.map(({ contract, token_id: id, holder, amount }) => ({
      text: `balance of ${holder} in ${id} of ${contract}`,
      expected: BigInt(amount),
      call: itemBalanceCall(contract, holder, BigInt(id)),
      replay: (logs: LogReplay) => logs.getItemBalance(contract, BigInt(id), holder),
    })),
    ...supplies.map(({ contract, amount }) => ({
      text: `total of ${contract}`,
      expected: BigInt(amount),
      call: totalSupplyCall(contract),
      replay: (logs: LogReplay) => logs.getSupply(contract),
    })),
  ]
}
