import '@headwater/demo-kit/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { budgetOf, followTheme, loadConfig, openConnection, settings$ } from '@headwater/demo-kit'
import { App } from './App.tsx'

followTheme()
const config = await loadConfig()
// React may discard a render and repeat it. A client created by a discarded one would stay the leader of all tabs.
const connection = config && openConnection(config.apiUrl, budgetOf(settings$.value.budget))
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App config={config} connection={connection} />
  </StrictMode>,
)
