import { createFakeService } from '@headwater/testing'
import { createHandlers } from '@headwater/testing/msw'
import { setupServer } from 'msw/node'

export const service = createFakeService()
export const server = setupServer(
  ...createHandlers(service, { baseUrl: 'https://data.example.org' }),
)
