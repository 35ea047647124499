import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * Extracts an embedded database with empty tables into a data folder. Creating one at the first start takes seconds, which
 * most tests do not need.
 */
export function prepareDataFolder(folder: string): void {
  const pglite = join(folder, 'pglite')
  mkdirSync(pglite, { recursive: true })
  execFileSync('tar', ['-xf', inject('pgliteImage'), '-C', pglite], { stdio: 'pipe' })
}
