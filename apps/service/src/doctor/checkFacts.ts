import { randomUUID } from 'node:crypto'
import type { Config } from '../config/Config.ts'
import { openFactsStorage } from '../facts/openFactsStorage.ts'
import { formatReason } from '../formatReason.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

/** Writes, reads and deletes a small file where facts are written. */
export async function checkFacts({
  facts,
  role,
}: Pick<Config, 'facts'> & Partial<Pick<Config, 'role'>>): Promise<CheckResult[]> {
  if (!facts || role === 'serve') {
    return []
  }
  const { ok, warning, error } = createResults('facts')
  const name = `doctor/${randomUUID()}`
  try {
    const storage = await openFactsStorage(facts, '', { keepsCopies: false })
    try {
      await storage.create(name, name)
      const isRead = (await storage.read(name)) === name
      const isReplaced = await storage.create(name, name)
      const isListed = (await storage.list('doctor')).some((file) => file.name === name)
      await storage.remove(name)
      if (!isRead || !isListed || (await storage.read(name)) !== undefined) {
        return [
          error(
            `${facts.folder} does not return what was written: use a storage that is consistent`,
          ),
        ]
      }
      return [
        isReplaced
          ? warning(
              `${facts.folder} ignores conditional writes (If-None-Match): let the processes of one database only write there`,
            )
          : ok(`${facts.folder} can be written, read and deleted from`),
      ]
    } finally {
      await storage.close()
    }
  } catch (reason) {
    return [error(formatReason(reason))]
  }
}
