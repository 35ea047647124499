import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'
import { StartError } from './StartError.ts'

/** Builds the three demo pages; what has not changed since is taken from turbo's cache. */
export async function buildDemos(logFile: string): Promise<void> {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  const args = [
    '--yes',
    packageManager,
    'exec',
    'turbo',
    'run',
    'build',
    '--filter=./apps/*',
    '--output-logs=errors-only',
  ]
  const { createWriteStream } = await import('node:fs')
  const log = createWriteStream(logFile)
  const child = spawn('npx', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    throw new StartError(
      `The demo pages could not be built. ${logFile} says why:\n${readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n')}`,
    )
  }
}
