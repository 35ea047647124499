import { beforeEach } from 'vitest'
import { clientsInFakeTime } from './clientsInFakeTime.ts'
import { createFakeService } from './createFakeService.ts'

/**
 * Runs the tests of a file in fake time on a service that is reset before each test, and returns a function that creates
 * its clients.
 *
 * @param answer - The initial responder.
 */
export function serviceInFakeTime(...respond: Parameters<typeof createFakeService>) {
  const service = createFakeService(...respond)
  const create = clientsInFakeTime(() => service.fetch)
  beforeEach(service.reset)
  return { service, create }
}
