import { beforeEach } from 'vitest'
import { clientsInFakeTime } from './clientsInFakeTime.ts'
import { createFakeService } from './createFakeService.ts'

/**
 * Lets the tests of a file run in fake time on a service that begins anew with each, and gives them what makes its
 * clients.
 *
 * @param answer - What the service answers to begin with.
 */
export function serviceInFakeTime(...answer: Parameters<typeof createFakeService>) {
  const service = createFakeService(...answer)
  const create = clientsInFakeTime(() => service.fetch)
  beforeEach(service.reset)
  return { service, create }
}
