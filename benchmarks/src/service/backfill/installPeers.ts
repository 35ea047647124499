import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../printFigure.ts'

/** Where the peers are: a project of its own, since nothing of Headwater depends on them. */
export const peersFolder = fileURLToPath(new URL('../../../peers', import.meta.url))

/** Installs the peers where they are not, and lifts Ponder's limit: stock it would be all that is measured. */
export function installPeers(): void {
  const stamp = join(peersFolder, 'node_modules', '.headwater-lock')
  const lock = readFileSync(join(peersFolder, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) {
    return
  }
  say('Installing the peers …')
  // `npm install` and not `npm ci`: a registry may lack optional packages of other systems, over which `ci` stumbles.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: peersFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rpc = join(peersFolder, 'node_modules/ponder/dist/esm/rpc/index.js')
  const code = readFileSync(rpc, 'utf8')
  const lifted = code
    .replace('const INITIAL_MAX_RPS = 20', 'const INITIAL_MAX_RPS = 1e6')
    .replace('const MAX_RPS = 500', 'const MAX_RPS = 1e6')
  if (lifted === code) {
    throw new Error(`Ponder's request limit is not where it was: ${rpc}`)
  }
  writeFileSync(rpc, lifted)
  writeFileSync(stamp, lock)
}
