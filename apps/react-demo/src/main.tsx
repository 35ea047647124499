import '@headwater/demo-style/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { loadConfig } from './loadConfig.ts'

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App config={loadConfig()} />
  </StrictMode>,
)
