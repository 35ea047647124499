// The thread that runs the embedded database, so that a long statement stops no one else. Its statements run one after
// the other, as in one session.
import { openAsBlob } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, types } from '@electric-sql/pglite'
import { chainsChannel } from './chainsChannel.ts'
import { parseSafeInteger } from './parseSafeInteger.ts'
import type {
  PGliteAnswer,
  PGliteNotification,
  PGliteQuestion,
  PGliteResult,
  PGliteSource,
} from './pgliteMessages.ts'

/** What the database tells of an error and what is not a value of a request. */
const errorFields = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
]

const source = workerData as PGliteSource
const pglite = await PGlite.create({
  ...('dataDir' in source
    ? { dataDir: source.dataDir }
    : { loadDataDir: await openAsBlob(source.image) }),
  parsers: { [types.INT8]: parseSafeInteger, [types.NUMERIC]: (text: string) => text },
})

const changed: PGliteNotification = { chainsChanged: true }
await pglite.listen(chainsChannel, () => parentPort?.postMessage(changed))

let turn = Promise.resolve()
parentPort?.on('message', (question: PGliteQuestion) => {
  turn = turn.then(async () => {
    parentPort?.postMessage(await answer(question))
    if ('close' in question) {
      parentPort?.close()
    }
  })
})
const opened: PGliteAnswer = { rows: [], affectedRows: undefined }
parentPort?.postMessage(opened)

async function answer(question: PGliteQuestion): Promise<PGliteAnswer> {
  try {
    return await run(question)
  } catch (error) {
    const known = Object.entries(error as object).filter(([name]) => errorFields.includes(name))
    return { message: (error as Error).message, fields: Object.fromEntries(known) }
  }
}

async function run(question: PGliteQuestion): Promise<PGliteResult> {
  if ('close' in question) {
    await pglite.close()
    return { rows: [], affectedRows: undefined }
  }
  if ('copy' in question) {
    const { target, rows } = question.copy
    await pglite.query(`${target} from '/dev/blob'`, [], { blob: new Blob([rows]) })
    return { rows: [], affectedRows: undefined }
  }
  const { rows, affectedRows } = await pglite.query(question.sql, [...question.parameters])
  return { rows, affectedRows }
}
