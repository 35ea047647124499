import './globals'
import * as core from '@headwater/core'
import * as testing from '@headwater/testing'
import { checkClient } from './checkClient'

checkClient(core, testing).then(
  (report) => globalThis.report(JSON.stringify(report)),
  (error) => globalThis.report(String(error?.stack ?? error)),
)
