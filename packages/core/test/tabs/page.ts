import { openTab } from './openTab.ts'

// A tab as a page: its title is the price that it shows.
const tab = new URLSearchParams(location.search).get('tab') ?? ''
openTab(tab, { baseUrl: location.origin, apiKey: 'key' }, 1000, (price) => {
  document.title = String(price ?? '')
})
