import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printProgress } from '../../printFigure.ts'

/** Folder of the peers: a separate project, because Headwater does not depend on them. */
export const peersFolder = fileURLToPath(new URL('../../../peers', import.meta.url))

const rateLimit = 'Number(process.env.BENCH_REQUESTS_PER_SECOND)'

/** Installs the peers if they are missing, and sets Ponder's rate limit, which would dominate the measurement. */
export function installPeers(): void {
  const stamp = join(peersFolder, 'node_modules', '.headwater-lock')
  const lock = `${readFileSync(join(peersFolder, 'package-lock.json'), 'utf8')}${rateLimit}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) {
    return
  }
  printProgress('Installing the peers …')
  // `npm install` and not `npm ci`, which fails if a registry lacks optional packages of other platforms. Without `--no-save`,
  // it would add those that the lockfile lacks to it.
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: peersFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rpc = join(peersFolder, 'node_modules/ponder/dist/esm/rpc/index.js')
  const code = readFileSync(rpc, 'utf8')
  const lifted = code.replace(
    /const (INITIAL_MAX_RPS|MAX_RPS) = \S+?;/g,
    `const $1 = ${rateLimit};`,
  )
  if (!lifted.includes(rateLimit)) {
    throw new Error(`Ponder's rate limit was not found in ${rpc}`)
  }
  writeFileSync(rpc, lifted)
  writeFileSync(stamp, lock)
}
