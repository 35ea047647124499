import { beforeEach } from 'vitest'
import { clientsInFakeTime } from './clientsInFakeTime.ts'
import { createFakeService } from './createFakeService.ts'

/** Lets the tests of a file run in fake time on a service that begins anew with each, and gives them what makes its clients. */
export function serviceInFakeTime() {
  const service = createFakeService()
  const { answer } = service
  const create = clientsInFakeTime(() => service.fetch)
  beforeEach(() => {
    service.asked.length = 0
    service.answer = answer
  })
  return { service, create }
}
