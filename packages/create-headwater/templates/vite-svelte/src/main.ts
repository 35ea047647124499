import { mount } from 'svelte'
import { createClient } from '@headwater/core'
import App from './App.svelte'

const client = createClient({ baseUrl: '/api/headwater' })
const address = new URLSearchParams(location.search).get('address')

mount(App, { target: document.getElementById('app')!, props: { client, address } })
