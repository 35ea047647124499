import type { Store } from '../src/store/Store.ts'

/** Marks all tokens as notable, as if a token list contained them: only then do wallets list amounts read from the chain. */
export async function markAllNotable({ db }: Store): Promise<void> {
  await db.updateTable('tokens').set({ is_notable: true }).where('is_notable', '=', false).execute()
}
