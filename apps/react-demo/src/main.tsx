import '@headwater/demo-kit/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme, loadConfig } from '@headwater/demo-kit'
import { App } from './App.tsx'

followTheme()
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App config={loadConfig()} />
  </StrictMode>,
)
