import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { toBlob } from '../facts/factTables.ts'
import { getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import {
  balanceOfCall,
  type Call,
  itemBalanceCall,
  ownerOfCall,
  totalSupplyCall,
} from '../rpc/methods/Call.ts'
import { type ImportTable, selectHex } from './importTables.ts'
import type { LogReplay } from './LogReplay.ts'
import type { SampledBlocks } from './sampleBlocks.ts'

/** Tokens whose totals are compared with their supplies: the ones with most holders, and others. */
const sampledSupplies = 40

/** An amount or an owner of an import, and how the chain shows it. */
export interface Amount {
  readonly table: ImportTable
  readonly text: string
  readonly expected: bigint
  /** Whether one of the last blocks changed it. */
  readonly isRecent: boolean
  readonly call: Call
  /** What a revert means, as of the owner of a burned token; undefined for nothing. */
  readonly reverted?: bigint
  /** From the logs of the contract. */
  readonly replay: (logs: LogReplay) => Promise<bigint>
}

interface SelectOptions {
  readonly duckDb: DuckDb
  readonly chain: ChainConfig
  /** How many amounts of each kind are selected of all rows, and as many of those that sampled blocks changed. */
  readonly count: number
  readonly sampled: SampledBlocks
  readonly signal: AbortSignal
}

const reservoir = (rows: number) => `using sample reservoir(${rows} rows)`

/** Selects amounts at random: of all rows, of those that the last blocks changed, and of those that other sampled blocks did. */
export async function selectAmounts(options: SelectOptions): Promise<Amount[]> {
  const { duckDb, chain, count, sampled, signal } = options
  const query = <Row>(text: string) => duckDb.query<Row>(text, signal)
  /** Rows, and the keys with the blocks of transfers that changed them. */
  const select = (rows: string, keys: string, changes: string) => {
    const half = reservoir(Math.ceil(count / 2))
    const changed = (isRecent: boolean) =>
      `select *, ${isRecent} as recent from (${rows}) semi join (
        select * from (${changes}) where (block_number >= ${sampled.newestFrom}) = ${isRecent}
      ) using (${keys}) ${half}`
    return `(select *, false as recent from (${rows}) ${reservoir(count)})
      union all (${changed(true)}) union all (${changed(false)})`
  }
  // Transfers of these collections have other events.
  const legacy = [
    "''::blob",
    ...chain.legacyCollections.map(({ address }) => toBlob(address)),
  ].join()
  // Its supply is a balance, which anyone can increase.
  const wrapped = toBlob(chain.wrappedNative ?? '0x')
  const balances = await query<{
    contract: string
    holder: string
    amount: string
    recent: boolean
  }>(
    `select ${selectHex('contract')}, ${selectHex('holder')}, amount, bool_or(recent) as recent from (${select(
      'select contract, holder, amount from imported_balances where standard = 20',
      'contract, holder',
      `select contract, unnest([from_address, to_address]) as holder, block_number
       from sampled_transfers where standard = 20`,
    )}) group by all`,
  )
  const owners = await query<{
    contract: string
    token_id: string
    owner: string
    recent: boolean
  }>(
    `select ${selectHex('contract')}, token_id, ${selectHex('owner')}, bool_or(recent) as recent from (${select(
      `select contract, token_id, owner from imported_collectibles
       where owner is not null and contract not in (${legacy})`,
      'contract, token_id',
      'select contract, token_id, block_number from sampled_transfers where standard = 721',
    )}) group by all`,
  )
  const items = await query<{
    contract: string
    token_id: string
    holder: string
    amount: string
    is_owned: boolean
    recent: boolean
  }>(
    // Other amounts of ERC721 follow from the owners.
    `select ${selectHex('contract')}, token_id, ${selectHex('holder')}, amount, is_owned, bool_or(recent) as recent from (${select(
      `select contract, token_id, holder, amount, owner is not null as is_owned
       from imported_collectible_balances join imported_collectibles using (contract, token_id)
       join imported_tokens on address = contract
       where owner is null or (events & 4 <> 0 and contract not in (${legacy}))`,
      'contract, token_id, holder',
      `select contract, token_id, unnest([from_address, to_address]) as holder, block_number
       from sampled_transfers where standard <> 20`,
    )}) group by all`,
  )
  const supplies = await query<{ contract: string; amount: string }>(
    `with totals as (
      select contract, sum(amount::bignum)::varchar as amount, count(*) as holders
      from imported_balances where standard = 20 and contract <> ${wrapped} group by contract
    )
    select ${selectHex('contract')}, amount from (
      (select * from totals order by holders desc limit ${sampledSupplies / 2})
      union (select * from totals ${reservoir(sampledSupplies / 2)})
    )`,
  )
  const ownerFunctions = getOwnerFunctions(chain.legacyCollections)
  return [
    ...balances.map(({ contract, holder, amount, recent }) => ({
      table: 'balances' as const,
      text: `balance of ${holder} in ${contract}`,
      expected: BigInt(amount),
      isRecent: recent,
      call: balanceOfCall(contract, holder),
      replay: (logs: LogReplay) => logs.getBalance(contract, holder),
    })),
    ...owners.map(({ contract, token_id: id, owner, recent }) => ({
      table: 'collectibles' as const,
      text: `owner of ${id} in ${contract}`,
      expected: BigInt(owner),
      isRecent: recent,
      call: ownerOfCall(contract, BigInt(id), ownerFunctions.get(contract)),
      reverted: 0n,
      replay: async (logs: LogReplay) => BigInt((await logs.getOwner(contract, BigInt(id))) ?? -1),
    })),
    ...items.map(({ contract, token_id: id, holder, amount, is_owned: isOwned, recent }) => ({
      table: 'collectible_balances' as const,
      expected: BigInt(amount),
      isRecent: recent,
      text: `balance of ${holder} in ${id} of ${contract}`,
      call: itemBalanceCall(contract, holder, BigInt(id)),
      replay: async (logs: LogReplay) => {
        const owner = isOwned ? await logs.getOwner(contract, BigInt(id)) : undefined
        const balance = await logs.getItemBalance(contract, BigInt(id), holder)
        return balance + (owner === holder ? 1n : 0n)
      },
    })),
    ...supplies.map(({ contract, amount }) => ({
      table: 'balances' as const,
      text: `total of ${contract}`,
      expected: BigInt(amount),
      isRecent: false,
      call: totalSupplyCall(contract),
      replay: (logs: LogReplay) => logs.getSupply(contract),
    })),
  ]
}
