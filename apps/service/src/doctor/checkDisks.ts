import { statfs } from 'node:fs/promises'
import type { Config } from '../config/Config.ts'
import { type CheckResult, createResults } from './CheckResult.ts'
import { findExisting } from './checkStore.ts'

/** The initial indexing of a chain takes as much within minutes. */
const minFreeBytes = 1e9

/** Warns of nearly full disks of the embedded database and of facts: indexing ends when no space is left. */
export async function checkDisks(
  {
    databaseUrl,
    dataFolder,
    facts,
    role,
  }: Pick<Config, 'databaseUrl' | 'dataFolder' | 'facts' | 'role'>,
  minBytes = minFreeBytes,
): Promise<CheckResult[]> {
  const folders = new Map<string, string | undefined>([
    ['data folder', databaseUrl === undefined ? dataFolder : undefined],
    ['facts', role === 'serve' ? undefined : (facts?.s3?.cacheFolder ?? facts?.folder)],
  ])
  const results = [...folders].map(async ([subject, folder]) => {
    const free = folder === undefined ? Infinity : await findFreeBytes(folder)
    const { warning } = createResults(subject)
    return free < minBytes
      ? [warning(`the disk of ${folder} has ${Math.floor(free / 1e6)} MB left: free space`)]
      : []
  })
  return (await Promise.all(results)).flat()
}

/** @returns Infinity where that is unknown. Folders that cannot be used are reported by other checks. */
async function findFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(findExisting(folder))
    return bavail * bsize
  } catch {
    return Infinity
  }
}
