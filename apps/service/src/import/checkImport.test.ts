import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testAddress } from '../../test/seedChain.ts'
import { openDuckDb } from '../../test/startImport.ts'
import { quote, toBlob } from '../facts/factTables.ts'
import { checkImport } from './checkImport.ts'
import { createImportViews, importTables, listImportFiles } from './importTables.ts'

const zero = testAddress(0)
const alice = testAddress(0xa)
const bob = testAddress(0xb)
/** Of ERC721, of ERC721 and ERC1155, and of ERC1155. */
const factory = testAddress(0x900)
const nft = testAddress(0x721)
const both = testAddress(0x722)
const items = testAddress(0x1155)

type Row = readonly (string | number | null | readonly string[])[]
type Tables = Readonly<Record<'balances' | 'collectible_balances' | 'collectibles', readonly Row[]>>
type PoolTables = Readonly<Record<'pools' | 'pool_events', readonly Row[]>>

/** NFT 5 was sold by Alice to Bob, 6 and 7 are Alice's, 8 was burned by Bob. */
const valid: Tables = {
  balances: [
    [721, nft, alice, '2', 1, null],
    [721, nft, bob, '1', 2, 3],
    [721, both, alice, '0', 1, null],
    [721, both, bob, '1', 2, null],
  ],
  collectible_balances: [
    [nft, '5', alice, '0', 1],
    [nft, '5', bob, '1', 2],
    [nft, '6', alice, '1', 1],
    [nft, '7', alice, '1', 1],
    [nft, '8', bob, '0', 2],
    // A contract can implement both standards with the same ids.
    [both, '5', alice, '40', 1],
    [both, '5', bob, '1', 2],
    [items, '5', alice, '-3', 1],
    [items, '5', bob, '3', 2],
  ],
  collectibles: [
    [nft, '5', 1, bob],
    [nft, '6', 1, alice],
    [nft, '7', 1, alice],
    [nft, '8', 1, zero],
    [both, '5', 1, bob],
    [items, '5', 1, null],
  ],
}

const pool = testAddress(0x901)
const validPools: PoolTables = {
  pools: [[1, 0, 'uniswapV2', 'uniswap-v2', pool, factory, [alice, bob], null, null, null]],
  pool_events: [
    [1, 1, pool, pool, null, 'reserves', '5', '6', null, null, null, null],
    [1, 2, pool, pool, null, 'price', null, null, '4295128739', null, null, null],
    [1, 3, pool, pool, null, 'liquidity', null, null, null, -10, 10, '-7'],
  ],
}

function formatValue(value: Row[number], type: string | undefined): string {
  if (Array.isArray(value)) {
    return `[${value.map(toBlob).join()}]`
  }
  return typeof value !== 'string' ? String(value) : type === 'BLOB' ? toBlob(value) : quote(value)
}

/** Checks an import with other rows than the valid ones. */
async function check(
  changed: Partial<Tables & PoolTables>,
  filter: (column: string) => string = () => 'true',
  subfolder = '.',
  retyped?: { readonly table: string; readonly column: string; readonly type: string },
): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'headwater-import-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, subfolder)
  const duckDb = await openDuckDb()
  const tables = {
    blocks: [0, 1, 2, 3].map((number) => [number, `0x${String(number).repeat(64)}`, number]),
    tokens: [
      [nft, 721, 1, 0, 2],
      [both, 721, 1, 1, 6],
      [items, 1155, 1, 2, 4],
    ],
    ...valid,
    ...changed,
  }
  for (const [table, rows] of Object.entries(tables)) {
    mkdirSync(join(folder, table), { recursive: true })
    const columns = Object.entries(importTables[table as keyof typeof tables])
    const values = rows.map(
      (row) => `(${row.map((value, index) => formatValue(value, columns[index]?.[1])).join()})`,
    )
    await duckDb.run(
      `copy (select * from (values ${values.join()}) as rows(${columns.map(([name]) => name).join()}))
        to '${join(folder, table, 'rows.parquet')}' (format parquet)`,
    )
  }
  if (retyped) {
    const { table, column, type } = retyped
    const file = quote(join(folder, table, 'rows.parquet'))
    await duckDb.run(`create table retyped as select * replace (${type} as ${column}) from ${file}`)
    await duckDb.run(`copy retyped to ${file} (format parquet)`)
  }
  const { signal } = new AbortController()
  const files = listImportFiles(folder)
  await createImportViews(duckDb, files, filter, signal)
  return (await checkImport(duckDb, files, 0, signal)).number
}

/** The valid rows of a table with another amount of a holder. */
function withAmount(table: 'balances' | 'collectible_balances', amount: string, key: Row): Row[] {
  return valid[table].map((row) =>
    key.every((value) => row.includes(value)) ? row.with(3, amount) : row,
  )
}

describe('checkImport', () => {
  it('returns the last block of valid rows, also of a contract of two standards', async () => {
    expect(await check({})).toBe(3)
  })

  it('reads all columns from the files, whatever the names of their folders', async () => {
    expect(await check({}, () => 'true', 'amount=7')).toBe(3)
  })

  it('finds the rows of one contract in files with Bloom filters', async () => {
    // Values that repeat are written as a dictionary, which has a Bloom filter.
    const ids = Array.from({ length: 300 }, (_, index) => String(index))
    const rows = {
      balances: [[721, nft, alice, '300', 1, null]],
      collectible_balances: [
        ...ids.map((id) => [nft, id, alice, '1', 1]),
        ...ids.map((id) => [items, id, bob, '1', 1]),
      ],
      collectibles: [
        ...ids.map((id) => [nft, id, 1, alice]),
        ...ids.map((id) => [items, id, 1, null]),
      ],
    }
    expect(await check(rows, (column) => `${column} in (${toBlob(nft)})`)).toBe(3)
  })

  it.each([
    ['that its former owner kept', '1', [nft, '5', alice], '1, .expected.: 0'],
    ['that was burned', '1', [nft, '8', bob], '1, .expected.: 0'],
    ['of its owner that is missing', '0', [nft, '5', bob], '0, .expected.: 1'],
    ['of its owner that is not 1', '2', [nft, '5', bob], '2, .expected.: 1'],
  ])('rejects an amount of an ERC721 token %s', async (_, amount, key, found) => {
    const changed = check({ collectible_balances: withAmount('collectible_balances', amount, key) })
    const [contract, tokenId, holder] = key
    await expect(changed).rejects.toThrow(
      new RegExp(
        `collectible_balances of ERC721 are not 1 of the owner and 0 of others.*\\(1 rows, such as {'contract': ${contract}, 'token_id': ${tokenId}, 'holder': ${holder}, 'amount': ${found}}`,
      ),
    )
  })

  it('rejects an ERC721 token without the row of its owner', async () => {
    const rows = valid.collectible_balances.filter((row) => row[1] !== '6')
    await expect(check({ collectible_balances: rows })).rejects.toThrow(
      `'token_id': 6, 'holder': ${alice}, 'amount': 0, 'expected': 1}`,
    )
  })

  it.each<[keyof PoolTables, number, number, Row[number], string]>([
    ['pool_events', 0, 6, '1e18', 'pool_events.reserve0 is not valid'],
    ['pool_events', 0, 7, null, 'pool_events lacks the values of its kind'],
    ['pool_events', 1, 8, '5.0', 'pool_events.sqrt_price is not valid'],
    ['pool_events', 2, 11, '+7', 'pool_events.liquidity_change is not valid'],
    ['pool_events', 2, 5, 'swap', 'pool_events lacks the values of its kind'],
    ['pools', 0, 3, 'uniswap', 'pools.kind is not valid'],
    ['pools', 0, 6, [alice, '0x77'], 'pools.tokens is not valid'],
    ['pools', 0, 6, [alice], 'pools.tokens is not valid'],
  ])(
    'rejects a value in %s that the load cannot convert',
    async (table, row, column, value, message) => {
      expect(await check(validPools)).toBe(3)
      const rows = validPools[table].map((each, index) =>
        index === row ? each.with(column, value) : each,
      )
      await expect(check({ ...validPools, [table]: rows })).rejects.toThrow(message)
    },
  )

  it.each([
    ['blocks', 'number', 'number::double', undefined],
    ['blocks', 'number', 'number::varchar', undefined],
    ['blocks', 'number', 'number::ubigint', undefined],
    ['collectibles', 'token_id', 'token_id::bigint', undefined],
    [
      'blocks',
      'time',
      'to_timestamp(time)',
      /column time of blocks has the type TIMESTAMP.*BIGINT/,
    ],
    ['blocks', 'hash', 'number', /column hash of blocks has the type .*: write it as BLOB$/],
    ['balances', 'amount', 'amount::double', /column amount of balances has the type DOUBLE/],
    ['pools', 'tokens', `'a,b'`, /column tokens of pools has the type VARCHAR: .* as BLOB\[\]$/],
    ['pools', 'fee', `'low'`, /imported: pools.fee is not valid \(Conversion Error.*'low'/],
    ['blocks', 'time', 'time + 1700000000000', /blocks.time is not valid/],
    ['tokens', 'first_log_index', '-1', /tokens.first_log_index is not valid/],
    ['tokens', 'events', '8', /tokens.events is not valid/],
    ['balances', 'first_in_block', '-5', /balances.first_in_block is not valid/],
    ['pool_events', 'block_number', '-1', /pool_events.block_number is not valid/],
    ['collectibles', 'token_id', `'${2n ** 256n}'`, /collectibles.token_id is not valid/],
  ])('checks the type and range of %s.%s with %s', async (table, column, type, message) => {
    const found = check(validPools, undefined, '.', { table, column, type })
    await (message ? expect(found).rejects.toThrow(message) : expect(found).resolves.toBe(3))
  })

  it('accepts amounts above 256 bits, as tokens can invent them in their events', async () => {
    const amount = `-${'9'.repeat(80)}`
    const key = [items, '5', alice]
    const rows = withAmount('collectible_balances', amount, key)
    expect(await check({ collectible_balances: rows })).toBe(3)
  })

  it('rejects balances of ERC721 that are right in total only', async () => {
    const balances = [
      ...withAmount('balances', '1', [721, nft, alice]).slice(0, 1),
      ...withAmount('balances', '2', [721, nft, bob]).slice(1),
    ]
    await expect(check({ balances })).rejects.toThrow(
      /balances of ERC721 are not the numbers of collectibles of their owners \(2 rows, such as {'contract': 0x.*721, 'holder': 0x/,
    )
  })
})
