import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'
import { StartError } from './StartError.ts'

/** Builds the demo pages; unchanged ones come from turbo's cache. */
export async function buildDemos(logFile: string): Promise<void> {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
  const { packageManager } = JSON.parse(manifest) as { packageManager: string }
  const turbo = ['turbo', 'run', 'build', '--filter=./apps/*', '--output-logs=errors-only']
  // npx runs on its own Node, because npm finds its global settings (proxy, certificates) relative to it.
  const tools = path.join(root, 'node_modules', '.bin')
  const paths = process.env.PATH!.split(path.delimiter).filter((folder) => folder !== tools)

  const log = openSync(logFile, 'w')
  const child = spawn('npx', ['--yes', '--prefer-offline', packageManager, 'exec', ...turbo], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: { ...process.env, PATH: paths.join(path.delimiter) },
  })
  closeSync(log)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) {
    return
  }
  const output = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
  throw new StartError(`Building the demo pages failed. Last lines of ${logFile}:\n${output}`)
}
