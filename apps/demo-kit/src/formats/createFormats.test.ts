import { expect, test } from 'vitest'
import { createFormats } from './createFormats.ts'

const formats = createFormats('en-US')
const german = createFormats('de-DE')

test('formats every digit of an amount in the locale', () => {
  expect(formats.amount('1234567890', 6)).toBe('1,234.56789')
  expect(german.amount('1234567890', 6)).toBe('1.234,56789')
  expect(formats.amount('1234567890', undefined)).toBe('1,234,567,890 smallest units')
})

test.each([
  ['12.5', 6],
  ['plenty', undefined],
  ['7', -1],
  ['7', 1.5],
])('returns an invalid amount (%s, %j) unchanged', (amount, decimals) => {
  expect(formats.amount(amount, decimals)).toBe(amount)
})

test.each([
  [0, '$0.00'],
  [0.000000010994321, '$0.00000001099'],
  [0.001234, '$0.001234'],
  [0.0999996, '$0.10'],
  [0.12345, '$0.1235'],
  [0.5, '$0.50'],
  [0.99999, '$1.00'],
  [1, '$1.00'],
])('formats the price %d with cents, and below 1 USD with four digits', (price, text) => {
  expect(formats.usd(price)).toBe(text)
})

test('formats prices in the locale, and missing ones as a dash', () => {
  expect(formats.usd(1234.5)).toBe('$1,234.50')
  expect(german.usd(0.5)).toBe('0,50\u00a0$')
  expect(formats.usd(undefined)).toBe('—')
  expect(german.usd(1234.5)).toBe('1.234,50\u00a0$')
  expect(formats.shortUsd(1_234_567)).toBe('$1.235M')
})

test('formats changes with their sign', () => {
  expect(formats.change(5.126)).toBe('+5.13%')
  expect(formats.change(-0.5)).toBe('-0.50%')
  expect(formats.change(0)).toBe('0.00%')
  expect(formats.change(undefined)).toBe('—')
  expect(formats.signedUsd(-3.5)).toBe('-$3.50')
})

test('returns an empty text for invalid times', () => {
  expect(formats.time('2026-11-21T12:34:56Z')).toMatch(/^\d\d:\d\d:56$/)
  expect(formats.time('yesterday')).toBe('')
  expect(formats.date(undefined)).toBe('')
})
