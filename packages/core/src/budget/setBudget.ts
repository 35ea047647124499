import type { Client } from '../client/Client.ts'
import { requireClient, requireOptions } from '../client/requireClient.ts'
import type { Budget } from './Budget.ts'
import { BudgetLimiter } from './BudgetLimiter.ts'

/**
 * Limits the compute units that a client spends. Replaces its previous budget. Units spent before count, as do requests in
 * flight once they settle. Waiting polls and background requests that fit the new budget start immediately.
 *
 * @param client - The client. Call it before anything is requested, so that all requests are limited.
 * @param budget - The limits; undefined for none.
 * @throws {InvalidParameterError} when a limit is negative; the previous budget stays in force.
 * @example
 * import { createClient, setBudget } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * setBudget(client, { perMinute: 60 })
 */
export function setBudget(client: Client, budget?: Budget): void {
  requireClient(client)
  // A number would set no limit. Null is none.
  requireOptions(budget ?? {}, 'budget')
  const { streams, usageTracker } = client
  const limiter = usageTracker.limiter ?? new BudgetLimiter(usageTracker.getUsage)
  limiter.setBudget(budget)
  usageTracker.limiter = streams.poller.throttle = limiter
  streams.poller.pollDue()
}
