import type pg from 'pg'
import { waitAtMost } from '../waitAtMost.ts'

/** How long a server may take to close a connection. */
const timeoutMs = 1_000

/** Ends a connection. A host that is frozen or unreachable does not close its side for 15 minutes, or ever. */
export async function endClient(client: pg.Client): Promise<void> {
  await waitAtMost(
    client.end().catch(() => {}),
    timeoutMs,
  )
}
