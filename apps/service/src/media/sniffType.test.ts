import { expect, it } from 'vitest'
import { sniffType } from './sniffType.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['image/gif', 'GIF89a\x01\0'],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
  ['image/avif', '\0\0\0\x20ftypavif\0\0\0\0'],
  ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['video/webm', '\x1aE\xdf\xa3\x01\0\0\0'],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['image/svg+xml', '<svg/>'],
  [
    'image/svg+xml',
    '\xef\xbb\xbf <?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">\n<svg >',
  ],
])('detects %s', (type, text) => expect(sniffType(bytes(text))).toBe(type))

it.each([
  ['nothing', ''],
  ['a page', '<!DOCTYPE html><html><svg/></html>'],
  ['a page with an SVG in a comment', '<!-- <svg> --><html></html>'],
  ['a page that begins like an SVG', '<svgfoo><script>'],
  ['text', 'hello <svg>'],
  ['JSON', '{"image":"<svg>"}'],
  ['a document type with entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'],
  ['another RIFF', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a program', 'MZ\x90\0'],
  ['a PDF', '%PDF-1.7'],
])('does not detect an image in %s', (_, text) => expect(sniffType(bytes(text))).toBeUndefined())

it.each([
  ['an image', '<svg/>', 'image/svg+xml'],
  ['nothing', 'x', undefined],
  ['a comment without an end', '<!--', undefined],
])('skips hundreds of comments before %s in linear time', (_, rest, type) => {
  // A backtracking regular expression would take 2^580 steps.
  const comments = '<!---->'.repeat(290)
  expect(sniffType(bytes(`${comments} <!DOCTYPE svg>${comments.slice(0, -21)}${rest}`))).toBe(type)
  expect(sniffType(bytes(`${comments}${comments.slice(0, -21)}${rest}`))).toBe(type)
})
