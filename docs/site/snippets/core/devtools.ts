import { createClient } from '@headwater/core'
import { mountDevtools } from '@headwater/devtools'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })
mountDevtools(client)
