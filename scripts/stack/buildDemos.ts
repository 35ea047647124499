import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { killTree } from '../processTree.mjs'
import { root } from './root.ts'
import { StartError } from './StartError.ts'

/** A build of the demo pages. */
interface Build {
  /** Rejects with a {@link StartError} when the build fails. Stays pending after `stop`. */
  readonly finished: Promise<void>
  /** Kills its processes. */
  stop(): Promise<void>
}

/** Builds the demo pages; unchanged ones come from turbo's cache. */
export function buildDemos(logFile: string): Build {
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
    // In its own process group: after Ctrl-C in a terminal, npx would exit before turbo.
    detached: true,
    env: { ...process.env, PATH: paths.join(path.delimiter) },
  })
  closeSync(log)
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  let stopping = false
  const finished = exit.then((code) => {
    if (stopping) {
      return new Promise<void>(() => {})
    }
    if (code !== 0) {
      const output = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
      throw new StartError(`Building the demo pages failed. Last lines of ${logFile}:\n${output}`)
    }
  })
  const stop = async () => {
    stopping = true
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      killTree(child.pid)
    }
    await exit
  }
  return { finished, stop }
}
