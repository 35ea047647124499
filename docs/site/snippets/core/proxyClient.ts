import { createClient } from '@headwater/core'

export const client = createClient({ baseUrl: '/api/headwater' })
