import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DuckDb } from '../../facts/DuckDb.ts'
import { copyFolded } from './copyFolded.ts'

const rows = 1000
const table = {
  fold: { columns: ['number', 'holder'], bytes: ['holder'] },
  chainId: 5,
  folded: 'folded',
  rows,
  rowsPerPart: 7,
}
const { signal } = new AbortController()

async function openFolded() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-folded-'))
  const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit: '256MB' })
  onTestFinished(() => {
    duckDb.close()
    rmSync(folder, { recursive: true })
  })
  await duckDb.run(`
    create table folded as
    select i as number, case when i % 2 = 0 then unhex('00ff') end as holder from range(${rows}) range(i) order by i`)
  return duckDb
}

it('copies each row once, in parts that are in order', async () => {
  const duckDb = await openFolded()
  const parts: string[] = []
  const copy = async (text: Uint8Array, count: number) => {
    parts.push(Buffer.from(text).toString())
    expect(parts.at(-1)?.split('\n')).toHaveLength(count + 1)
  }
  await copyFolded(duckDb, table, copy, signal)
  const first = (part: string) => Number(part.split('\t')[1])
  const expected = Array.from({ length: rows }, (_, row) => {
    return `5\t${row}\t${row % 2 === 0 ? String.raw`\\x00FF` : String.raw`\N`}\n`
  })
  expect(parts.toSorted((a, b) => first(a) - first(b)).join('')).toBe(expected.join(''))
})

it('rejects with the error of a part, and ends the others before that', async () => {
  const duckDb = await openFolded()
  let running = 0
  let copied = 0
  const copy = async () => {
    running++
    await new Promise((resolve) => setImmediate(resolve))
    running--
    if (++copied === 5) {
      throw new Error('The disk is full')
    }
  }
  await expect(copyFolded(duckDb, table, copy, signal)).rejects.toThrow('The disk is full')
  expect(running).toBe(0)
  expect(copied).toBeLessThan(10)
})
