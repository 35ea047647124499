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

/** PostgreSQL error codes of a full disk, of failed reads and writes, and of internal errors such as corrupted pages. */
const failureCodes = /^(53100|58|XX)/
/** Forces a checkpoint as often as a PostgreSQL server would; PGlite has no checkpointer, and its log would only grow. */
const isCheckpointDue = `
  select pg_current_wal_lsn() - redo_lsn > pg_size_bytes(current_setting('max_wal_size')) / 2 as is_due
  from pg_control_checkpoint()`

const source = workerData as PGliteSource
const pglite = await open().catch((error: Error) => fail(error.message))
if (pglite) {
  const notification: PGliteNotification = { chainsChanged: true }
  await pglite.listen(chainsChannel, () => parentPort?.postMessage(notification))
  serve(pglite)
}

async function open(): Promise<PGlite> {
  const parsers = { [types.INT8]: parseSafeInteger, [types.NUMERIC]: (text: string) => text }
  return 'dataDir' in source
    ? await openDurablePGlite(source.dataDir, { parsers, onFailure: fail })
    : await PGlite.create({ loadDataDir: await openAsBlob(source.image), parsers })
}

function serve(pglite: PGlite): void {
  let previous = Promise.resolve()
  parentPort?.on('message', (request: PGliteRequest) => {
    previous = previous.then(async () => {
      parentPort?.postMessage(await respond(pglite, request))
      if ('close' in request) {
        parentPort?.close()
      }
    })
  })
  const opened: PGliteResponse = { rows: [], affectedRows: undefined }
  parentPort?.postMessage(opened)
}

function fail(reason: string): void {
  const notification: PGliteNotification = { failure: reason }
  parentPort?.postMessage(notification)
}

async function respond(pglite: PGlite, request: PGliteRequest): Promise<PGliteResponse> {
  try {
    return await run(pglite, request)
  } catch (error) {
    if (failureCodes.test(String((error as { code?: unknown }).code))) {
      fail((error as Error).message)
    }
    const fields = Object.entries(error as object).filter(([name]) => errorFields.includes(name))
    return { message: (error as Error).message, fields: Object.fromEntries(fields) }
  }
}

async function run(pglite: PGlite, request: PGliteRequest): Promise<PGliteResult> {
  if ('close' in request) {
    await pglite.close()
    return { rows: [], affectedRows: undefined }
  }
  if (request.start !== undefined) {
    await pglite.query(request.start)
  }
  if ('copy' in request) {
    const { target, rows } = request.copy
    await pglite.query(`${target} from '/dev/blob'`, [], { blob: new Blob([rows]) })
    return { rows: [], affectedRows: undefined }
  }
  const { rows, affectedRows } = await pglite.query(request.sql, [...request.parameters])
  if (request.sql === 'commit') {
    const [state] = (await pglite.query<{ is_due: boolean }>(isCheckpointDue)).rows
    if (state?.is_due) {
      await pglite.exec('checkpoint')
    }
  }
  return { rows, affectedRows }
}
