// Starts the packed fake service, prints its URL, and adds two blocks per second.
import { createFakeService } from '@headwater/testing'
import { listen } from '@headwater/testing/node'

const service = createFakeService()
const { url } = await listen(service)
console.log(JSON.stringify({ url, key: service.key, address: service.wallet('everyday').address }))
setInterval(() => service.advance(), 500)
