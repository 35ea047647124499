import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Database } from '../store/Database.ts'
import { MetadataReader } from './MetadataReader.ts'

it('does not wait for tokens after the signal has aborted', async () => {
  const db = {} as Kysely<Database>
  const node = {} as ChainNode
  const reader = new MetadataReader({ db, node, chainId: 1, logger: pino({ level: 'silent' }) })
  await expect(reader.settle(AbortSignal.abort())).resolves.toBeUndefined()
})
