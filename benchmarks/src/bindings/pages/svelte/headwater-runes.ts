import { createClient } from '@headwater/core'
import { setClient } from '@headwater/svelte'
import { clientOptions } from '../kit/priceService.ts'
import HeadwaterRunes from './HeadwaterRunes.svelte'
import { mountRows } from './mountRows.ts'

mountRows(HeadwaterRunes, () => setClient(createClient(clientOptions)))
