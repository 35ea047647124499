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

/** Selects amounts at random: of all rows, of those that the last blocks changed, and of those that other sampled blocks did. */
export async function selectAmounts(options: SelectOptions): Promise<Amount[]> {
  return [
    ...(await selectBalances(options)),
    ...(await selectOwners(options)),
    ...(await selectItems(options)),
    ...(await selectSupplies(options)),
  ]
}

async function selectBalances(options: SelectOptions): Promise<Amount[]> {
  const selected = selectRows(options, {
    rows: 'select contract, holder, amount from imported_balances where standard = 20',
    keys: 'contract, holder',
    changes: `select contract, unnest([from_address, to_address]) as holder, block_number
       from sampled_transfers where standard = 20`,
  })
  const rows = await options.duckDb.query<{
    contract: string
    holder: string
    amount: string
    recent: boolean
  }>(
    `select ${selectHex('contract')}, ${selectHex('holder')}, amount, bool_or(recent) as recent
     from (${selected}) group by all`,
    options.signal,
  )
  return rows.map(({ contract, holder, amount, recent }) => ({
    table: 'balances',
    text: `balance of ${holder} in ${contract}`,
    expected: BigInt(amount),
    isRecent: recent,
    call: balanceOfCall(contract, holder),
    replay: (logs) => logs.getBalance(contract, holder),
  }))
}

async function selectOwners(options: SelectOptions): Promise<Amount[]> {
  const { duckDb, chain, signal } = options
  const selected = selectRows(options, {
    rows: `select contract, token_id, owner from imported_collectibles
       where owner is not null and contract not in (${listLegacy(chain)})`,
    keys: 'contract, token_id',
    changes: 'select contract, token_id, block_number from sampled_transfers where standard = 721',
  })
  const rows = await duckDb.query<{
    contract: string
    token_id: string
    owner: string
    recent: boolean
  }>(
    `select ${selectHex('contract')}, token_id, ${selectHex('owner')}, bool_or(recent) as recent
     from (${selected}) group by all`,
    signal,
  )
  const ownerFunctions = getOwnerFunctions(chain.legacyCollections)
  return rows.map(({ contract, token_id: id, owner, recent }) => ({
    table: 'collectibles',
    text: `owner of ${id} in ${contract}`,
    expected: BigInt(owner),
    isRecent: recent,
    call: ownerOfCall(contract, BigInt(id), ownerFunctions.get(contract)),
    reverted: 0n,
    replay: async (logs) => BigInt((await logs.getOwner(contract, BigInt(id))) ?? -1),
  }))
}

/** Other amounts of ERC721 follow from the owners. */
async function selectItems(options: SelectOptions): Promise<Amount[]> {
  const { duckDb, chain, signal } = options
  const selected = selectRows(options, {
    rows: `select contract, token_id, holder, amount, owner is not null as is_owned
       from imported_collectible_balances join imported_collectibles using (contract, token_id)
       join imported_tokens on address = contract
       where owner is null or (events & 4 <> 0 and contract not in (${listLegacy(chain)}))`,
    keys: 'contract, token_id, holder',
    changes: `select contract, token_id, unnest([from_address, to_address]) as holder, block_number
       from sampled_transfers where standard <> 20`,
  })
  const rows = await duckDb.query<{
    contract: string
    token_id: string
    holder: string
    amount: string
    is_owned: boolean
    recent: boolean
  }>(
    `select ${selectHex('contract')}, token_id, ${selectHex('holder')}, amount, is_owned,
       bool_or(recent) as recent
     from (${selected}) group by all`,
    signal,
  )
  return rows.map(({ contract, token_id: id, holder, amount, is_owned: isOwned, recent }) => ({
    table: 'collectible_balances',
    expected: BigInt(amount),
    isRecent: recent,
    text: `balance of ${holder} in ${id} of ${contract}`,
    call: itemBalanceCall(contract, holder, BigInt(id)),
    replay: async (logs) => {
      const owner = isOwned ? await logs.getOwner(contract, BigInt(id)) : undefined
      const balance = await logs.getItemBalance(contract, BigInt(id), holder)
      return balance + (owner === holder ? 1n : 0n)
    },
  }))
}

async function selectSupplies({ duckDb, chain, signal }: SelectOptions): Promise<Amount[]> {
  // Its supply is a balance, which anyone can increase.
  const wrapped = toBlob(chain.wrappedNative ?? '0x')
  const rows = await duckDb.query<{ contract: string; amount: string }>(
    `with totals as (
      select contract, sum(amount::bignum)::varchar as amount, count(*) as holders
      from imported_balances where standard = 20 and contract <> ${wrapped} group by contract
    )
    select ${selectHex('contract')}, amount from (
      (select * from totals order by holders desc limit ${sampledSupplies / 2})
      union (select * from totals ${reservoir(sampledSupplies / 2)})
    )`,
    signal,
  )
  return rows.map(({ contract, amount }) => ({
    table: 'balances',
    text: `total of ${contract}`,
    expected: BigInt(amount),
    isRecent: false,
    call: totalSupplyCall(contract),
    replay: (logs) => logs.getSupply(contract),
  }))
}

/** @param options.changes - selects the keys, and the blocks of transfers that changed the rows. */
function selectRows(
  { count, sampled }: SelectOptions,
  { rows, keys, changes }: Readonly<Record<'rows' | 'keys' | 'changes', string>>,
): string {
  const half = reservoir(Math.ceil(count / 2))
  const changed = (isRecent: boolean) =>
    `select *, ${isRecent} as recent from (${rows}) semi join (
        select * from (${changes}) where (block_number >= ${sampled.newestFrom}) = ${isRecent}
      ) using (${keys}) ${half}`
  return `(select *, false as recent from (${rows}) ${reservoir(count)})
      union all (${changed(true)}) union all (${changed(false)})`
}

function reservoir(rows: number): string {
  return `using sample reservoir(${rows} rows)`
}

/** Transfers of these collections have other events. */
function listLegacy({ legacyCollections }: ChainConfig): string {
  return ["''::blob", ...legacyCollections.map(({ address }) => toBlob(address))].join()
}
