import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

test.each([
  [
    'tsx',
    "export const Row = ({ id }: { id: string }) => <p className='row'>{id} &amp; more</p>\n",
  ],
  [
    'vue',
    '<script setup lang="ts">\nconst a = 1 < 2\n</script>\n<template><p v-if="a">x</p></template>\n',
  ],
  ['svelte', '<script lang="ts">\nlet a = $state(1)\n</script>\n{#if a}<p>{a}</p>{/if}\n'],
])('highlights %s and keeps every character', (extension, source) => {
  const html = highlight(source, extension)
  expect(html).toContain('hljs-keyword')
  expect(textOf(html)).toBe(source)
})

test('escapes markup in a source', () => {
  expect(highlight('<img src=x onerror=alert(1)>', 'vue')).not.toContain('<img')
})
