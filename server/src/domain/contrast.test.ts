import { expect, test } from 'vitest'
import { contrastOf, readableOn, readableShade, TEXT_CONTRAST } from './contrast.ts'

test('computes the contrast ratio of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21)
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

test('chooses the text colour that can be read', () => {
  expect(readableOn('#ffff00')).toBe('#000000')
  expect(readableOn('#00008b')).toBe('#ffffff')
  for (const color of ['#777777', '#808080', '#ff0000', '#0a7268', '#00ff7f']) {
    expect(contrastOf(color, readableOn(color)), color).toBeGreaterThanOrEqual(TEXT_CONTRAST)
  }
})

test('leaves a colour that can be read, and shifts one that cannot', () => {
  expect(readableShade('#0a7268', '#ffffff')).toBe('#0a7268')
  for (const [color, background] of [
    ['#ffff00', '#ffffff'],
    ['#00008b', '#121918'],
    ['#ffffff', '#ffffff'],
    ['#000000', '#000000'],
  ] as const) {
    const shade = readableShade(color, background)
    expect(shade).toMatch(/^#[0-9a-f]{6}$/)
    expect(contrastOf(shade, background), color).toBeGreaterThanOrEqual(TEXT_CONTRAST)
  }
})
