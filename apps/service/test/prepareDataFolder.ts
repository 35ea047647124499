import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * Puts an embedded database with empty tables into a data folder, as a first start leaves it. It spares those tests the
 * seconds that making one takes which are about something else.
 */
export function prepareDataFolder(folder: string): void {
  const pglite = join(folder, 'pglite')
  mkdirSync(pglite, { recursive: true })
  execFileSync('tar', ['-xf', inject('pgliteImage'), '-C', pglite], { stdio: 'pipe' })
}
