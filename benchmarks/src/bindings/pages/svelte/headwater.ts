import { createClient } from '@headwater/core'
import { setClient } from '@headwater/svelte'
import { clientOptions } from '../kit/priceService.ts'
import Headwater from './Headwater.svelte'
import { mountRows } from './mountRows.ts'

mountRows(Headwater, () => setClient(createClient(clientOptions)))
