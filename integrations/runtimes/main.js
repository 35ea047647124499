// Prints what the client returns in this runtime.
import * as core from '@headwater/core'
import * as testing from '@headwater/testing'
import { checkClient } from './checkClient.js'

console.log(JSON.stringify(await checkClient(core, testing)))
