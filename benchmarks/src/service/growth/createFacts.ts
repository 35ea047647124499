import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDb } from '../../../../apps/service/src/facts/DuckDb.ts'
import {
  type FactKind,
  factKinds,
  factTables,
  quote,
} from '../../../../apps/service/src/facts/factTables.ts'
import type { TransferEvent } from '../../../../apps/service/src/indexing/decode/DecodedEvent.ts'

const tokens = 300
export const transfersPerBlock = 200

/** Transfers between the holders of 300 tokens, each of which has as many. All pairs are equally likely. */
export interface Workload {
  readonly transfers: number
  readonly pairs: number
}

/** Writes the facts of a workload. @returns the file of each kind. */
export async function createFacts(
  duckDb: DuckDb,
  folder: string,
  { transfers, pairs }: Workload,
): Promise<Record<FactKind, string>> {
  const holders = Math.ceil(pairs / tokens)
  const account = (name: string) =>
    `unhex(substr(md5(concat(token, ' ', hash(i, ${quote(name)}) % ${holders})), 1, 32) || '00000000')`
  const sources: Partial<Record<FactKind, string>> = {
    blocks: `select i as number, unhex(md5(i::varchar) || md5(i::varchar)) as hash, 1700000000 + i as time
      from range(${Math.ceil(transfers / transfersPerBlock)}) range(i)`,
    transfers: `
      select i // ${transfersPerBlock} as block_number, (i % ${transfersPerBlock})::int as log_index, 0::int as item,
        20::smallint as standard, unhex(substr(md5(token::varchar), 1, 32) || '00000000') as contract,
        ${account('from')} as from_address, ${account('to')} as to_address, null::varchar as token_id,
        (hash(i, 'amount') % 1000000000000000000)::varchar as amount, ${account('from')} as transaction_from
      from (select i, hash(i, 'token') % ${tokens} as token from range(${transfers}) range(i))`,
  }
  const files = {} as Record<FactKind, string>
  for (const kind of factKinds) {
    const columns = Object.entries(factTables[kind])
    const none = columns.map(([name, type]) => `null::${type} as ${name}`)
    files[kind] = join(folder, `${kind}.parquet`)
    await duckDb.run(
      `copy (${sources[kind] ?? `select ${none.join()} where false`}) to ${quote(files[kind])}
        (format parquet, compression zstd)`,
    )
  }
  return files
}

/** Transfers of the same distribution, for indexing block by block. */
export function* createTransfers({ pairs }: Workload, count: number) {
  const holders = Math.ceil(pairs / tokens)
  const draw = (limit: number) => Math.floor(Math.random() * limit)
  for (let index = 0; index < count; index++) {
    const token = draw(tokens)
    const account = () => toAddress(`${token} ${draw(holders)}`)
    const event: TransferEvent = {
      kind: 'transfer',
      token: toAddress(String(token)),
      from: account(),
      to: account(),
      amount: BigInt(draw(1e15)),
    }
    yield event
  }
}

function toAddress(text: string): string {
  return `0x${createHash('md5').update(text).digest('hex')}00000000`
}
