import { expect, test } from 'vitest'
import { opaqueColor } from './css-color.ts'

test.each([
  ['#FF5733', '#ff5733'],
  ['#123', '#112233'],
  ['#123f', '#112233'],
  ['#0b7a6fff', '#0b7a6f'],
  ['RebeccaPurple', '#663399'],
  [' navy ', '#000080'],
  ['aliceblue', '#f0f8ff'],
  ['yellowgreen', '#9acd32'],
  ['rgb(255, 87, 51)', '#ff5733'],
  ['rgb(100%, 0%, 50%)', '#ff0080'],
  ['rgba(0 128 0 / 100%)', '#008000'],
  ['hsl(120, 100%, 25%)', '#008000'],
  ['hsl(270deg 50% 40%)', '#663399'],
])('%s is a colour', (text, expected) => {
  expect(opaqueColor(text)).toBe(expected)
})

test.each([
  '',
  'orangish',
  'constructor',
  '#12',
  '#ggg',
  '#1234',
  '#11223380',
  'rgb(256, 0, 0)',
  'rgb(1, 2)',
  'rgba(1, 2, 3, 0.5)',
  'hsl(0, 101%, 0%)',
  'transparent',
  'red; } body { display: none',
  'url(https://example.com)',
])('%j is none', (text) => {
  expect(opaqueColor(text)).toBeUndefined()
})
