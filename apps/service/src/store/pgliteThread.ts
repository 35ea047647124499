// The worker thread of the embedded database: long statements do not block the event loop of the service. Statements run
// sequentially, in one session.
import { openAsBlob } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, types } from '@electric-sql/pglite'
import { chainsChannel } from './chainsChannel.ts'
import { openDurablePGlite } from './openDurablePGlite.ts'
import { parseSafeInteger } from './parseSafeInteger.ts'
import type {
  PGliteNotification,
  PGliteRequest,
  PGliteResponse,
  PGliteResult,
  PGliteSource,
} from './pgliteMessages.ts'

/** The fields of a database error that do not contain values of a statement. */
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
const parsers = { [types.INT8]: parseSafeInteger, [types.NUMERIC]: (text: string) => text }
const pglite =
  'dataDir' in source
    ? await openDurablePGlite(source.dataDir, { parsers })
    : await PGlite.create({ loadDataDir: await openAsBlob(source.image), parsers })

const changed: PGliteNotification = { chainsChanged: true }
await pglite.listen(chainsChannel, () => parentPort?.postMessage(changed))

let previous = Promise.resolve()
parentPort?.on('message', (request: PGliteRequest) => {
  previous = previous.then(async () => {
    parentPort?.postMessage(await respond(request))
    if ('close' in request) {
      parentPort?.close()
    }
  })
})
const opened: PGliteResponse = { rows: [], affectedRows: undefined }
parentPort?.postMessage(opened)

async function respond(request: PGliteRequest): Promise<PGliteResponse> {
  try {
    return await run(request)
  } catch (error) {
    const fields = Object.entries(error as object).filter(([name]) => errorFields.includes(name))
    return { message: (error as Error).message, fields: Object.fromEntries(fields) }
  }
}

async function run(request: PGliteRequest): Promise<PGliteResult> {
  if ('close' in request) {
    await pglite.close()
    return { rows: [], affectedRows: undefined }
  }
  if ('copy' in request) {
    const { target, rows } = request.copy
    await pglite.query(`${target} from '/dev/blob'`, [], { blob: new Blob([rows]) })
    return { rows: [], affectedRows: undefined }
  }
  const { rows, affectedRows } = await pglite.query(request.sql, [...request.parameters])
  return { rows, affectedRows }
}
