import { defineConfig } from 'vite'
import { contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import { fillPage } from './build/fillPage.ts'

export default defineConfig({
  base: './',
  plugins: [fillPage, contentSecurityPolicy('img-src data:', "connect-src 'self'")],
})
