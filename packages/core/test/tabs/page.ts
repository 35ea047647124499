import { openTab } from './openTab.ts'

// A tab as a page, whose title is the displayed price.
const tab = new URLSearchParams(location.search).get('tab') ?? ''
openTab(tab, { baseUrl: location.origin, apiKey: 'key' }, 1000, (price) => {
  document.title = String(price ?? '')
})
