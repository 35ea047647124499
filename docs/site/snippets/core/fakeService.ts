import { createFakeService } from '@headwater/testing'
import { listen } from '@headwater/testing/node'

const service = createFakeService()
const { url } = await listen(service, { port: 4000 })
// A block every two seconds: amounts and prices change.
setInterval(() => service.advance(), 2000)
console.log(`url      ${url}`)
console.log(`key      ${service.key}`)
console.log(`address  ${service.wallet('everyday').address}`)
