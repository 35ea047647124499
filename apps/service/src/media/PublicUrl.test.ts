import { expect, it } from 'vitest'
import { PublicUrl } from './PublicUrl.ts'

it('prefers the configured URL', () => {
  const url = new PublicUrl('https://api.example/base/')
  expect(url.value).toBe('https://api.example/base')
  url.setListenUrl('http://127.0.0.1:8080')
  expect(url.value).toBe('https://api.example/base')
})

it('defaults to the URL at which the server listens', () => {
  const url = new PublicUrl()
  url.setListenUrl('http://127.0.0.1:8080')
  expect(url.value).toBe('http://127.0.0.1:8080')
})
