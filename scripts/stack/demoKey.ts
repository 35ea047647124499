import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from './root.ts'
import { StartError } from './StartError.ts'

/**
 * The key that the demo pages use: made by the service's own command the first time, then read from beside the store
 * that knows it.
 */
export async function demoKey(service: {
  readonly storeFolder: string
  readonly serviceArgs: readonly string[]
  readonly configFile: string
}): Promise<string> {
  const file = path.join(service.storeFolder, 'demo-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const args = [
    ...service.serviceArgs,
    'keys',
    'create',
    '--name',
    'demo',
    '--config',
    service.configFile,
    '--data',
    service.storeFolder,
  ]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: 'error' },
    })
    const key = /\bhw_[\w-]+/.exec(stdout)?.[0]
    if (!key) throw new Error(`it printed ${JSON.stringify(stdout)}`)
    writeFileSync(file, `${key}\n`, { mode: 0o600 })
    return key
  } catch (error) {
    throw new StartError(`The demo key could not be made: ${(error as Error).message}`)
  }
}
