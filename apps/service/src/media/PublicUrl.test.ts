import { expect, it } from 'vitest'
import { PublicUrl } from './PublicUrl.ts'

it('is what is configured, wherever the server listens', () => {
  const url = new PublicUrl('https://api.example/base/')
  expect(url.value).toBe('https://api.example/base')
  url.listensAt('http://127.0.0.1:8080')
  expect(url.value).toBe('https://api.example/base')
})

it('is where the server listens, when nothing is configured', () => {
  const url = new PublicUrl()
  url.listensAt('http://127.0.0.1:8080')
  expect(url.value).toBe('http://127.0.0.1:8080')
})
