import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serviceCommand, type StackFiles } from './programs.ts'
import { root } from './root.ts'
import { StartError } from './StartError.ts'

/**
 * The API key of the demo pages: created by the command of the service the first time, then read from a file in the
 * store's folder.
 */
export async function demoKey(files: StackFiles): Promise<string> {
  const file = keyFile(files)
  if (existsSync(file)) {
    return readFileSync(file, 'utf8').trim()
  }
  const args = serviceCommand(files, 'keys', 'create', '--name', 'demo')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: 'error' },
    })
    const key = /\bhw_[\w-]+/.exec(stdout)?.[0]
    if (!key) {
      throw new Error(`unexpected output ${JSON.stringify(stdout)}`)
    }
    mkdirSync(files.storeFolder, { recursive: true })
    writeFileSync(file, `${key}\n`, { mode: 0o600 })
    return key
  } catch (error) {
    throw new StartError(`Creating the demo key failed: ${(error as Error).message}`)
  }
}

const maxBusyMs = 60_000

/**
 * Checks that the service accepts the key. Waits while it cannot read its store, which indexing may keep busy for seconds on a
 * slow machine: a key that was read once remains valid meanwhile.
 *
 * @throws {StartError} with a remedy, when the store is another one, the key was revoked, or the service cannot read its store for a minute.
 */
export async function checkDemoKey(apiUrl: string, key: string, files: StackFiles): Promise<void> {
  const url = `${apiUrl}/v1/evm/balances/0x${'0'.repeat(40)}?chain_ids=31337`
  const deadline = performance.now() + maxBusyMs
  for (;;) {
    const response = await fetch(url, { headers: { 'X-Service-Api-Key': key } })
    const { code } = (await response.json()) as { code?: string }
    if (response.status === 401) {
      throw new StartError(
        `The service rejects the demo key. Delete ${keyFile(files)} and start again to create a new one.`,
      )
    }
    if (code !== 'STORE_UNAVAILABLE') {
      return
    }
    if (performance.now() >= deadline) {
      throw new StartError('The service could not read its store for a minute. Start again.')
    }
    await delay(200)
  }
}

/** Each database has its own key. */
function keyFile({ storeFolder }: StackFiles): string {
  const database = process.env.DATABASE_URL
  const suffix = database
    ? `-${createHash('sha256').update(database).digest('hex').slice(0, 8)}`
    : ''
  return path.join(storeFolder, `demo-key${suffix}`)
}
