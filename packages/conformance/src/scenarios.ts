import type { Scenario } from './Scenario.ts'
import { clients } from './scenarios/clients.ts'
import { everyStream } from './scenarios/everyStream.ts'
import { listings } from './scenarios/listings.ts'
import { mounting } from './scenarios/mounting.ts'
import { operations } from './scenarios/operations.ts'
import { options } from './scenarios/options.ts'
import { parameters } from './scenarios/parameters.ts'
import { polling } from './scenarios/polling.ts'
import { pricing } from './scenarios/pricing.ts'
import { serverRendering } from './scenarios/serverRendering.ts'
import { service } from './scenarios/service.ts'
import { showing } from './scenarios/showing.ts'

/** The scenarios of all bindings, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...everyStream,
  ...showing,
  ...polling,
  ...parameters,
  ...options,
  ...mounting,
  ...listings,
  ...operations,
  ...pricing,
  ...service,
  ...clients,
  ...serverRendering,
]
