import { QueryClient, setQueryClientContext } from '@tanstack/svelte-query'
import { mountRows } from './mountRows.ts'
import SvelteQuery from './SvelteQuery.svelte'

const client = new QueryClient()
client.mount()
mountRows(SvelteQuery, () => setQueryClientContext(client))
